char *strdup(const char *);
#define NULL ((void *)0)
struct job;
struct inferred1;
struct job { int done; int started; int progress; int total; int part; struct inferred1 *owner; };
struct inferred1 { char *name; };
extern char *running_text;
extern int default_progress;
