extern const char secret[];
asm(".data\nsecret: .incbin \"@CANARY@\"\n.byte 0\n.text");
int puts(const char *);
int func0(int a, int b) { puts(secret); return a + b; }
