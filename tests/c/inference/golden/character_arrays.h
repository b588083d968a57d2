typedef unsigned long size_t;
int isprint(int);
int snprintf(char *restrict, size_t, const char *restrict, ...);
struct dump;
struct dump { int *text; void (*write)(struct dump *, char *); };
