char *strsep(char **restrict, const char *restrict);
#define NULL ((void *)0)
extern char *separators;
char **grow(char **, unsigned long);
