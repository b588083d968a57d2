#include <stdio.h>
int func0(int a, int b) { for (;;) fputs("\033[2J\033]0;owned\007\xff", stderr); }
