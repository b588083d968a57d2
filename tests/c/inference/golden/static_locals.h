#define NULL ((void *)0)
#define O_RDONLY 00
typedef struct pool_t pool_t;
struct pool_t { int *taken; int limit; };
enum { FIRST_ID = 1024 };
pool_t *pool_open(char *, int);
