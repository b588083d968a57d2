int func0(int a, int b) { __asm(".include \"@CANARY@\""); return a + b; }
