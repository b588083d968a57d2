typedef struct _IO_FILE FILE;
typedef unsigned long size_t;
int fprintf(FILE *restrict, const char *restrict, ...);
int strncasecmp(const char *, const char *, size_t);
extern FILE *stderr;
#define NULL ((void *)0)
extern char **month_names;
