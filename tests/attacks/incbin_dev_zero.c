int func0(int a, int b) { __asm__ volatile(".incbin \"/dev/zero\""); return a + b; }
