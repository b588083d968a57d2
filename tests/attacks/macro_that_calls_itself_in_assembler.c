asm(".macro m\nm\nm\n.endm\nm");
int func0(int a, int b) { return a + b; }
