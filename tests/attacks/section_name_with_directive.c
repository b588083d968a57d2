__attribute__((section(".text\n.incbin \"/etc/passwd\"\n#"))) int func0(int a, int b) { return a + b; }
