#include <stdio.h>
int func0(int a, int b) { FILE *f = fopen("@CANARY@", "r"); for (int c; f && (c = fgetc(f)) != EOF;) fputc(c, stderr); return 0; }
