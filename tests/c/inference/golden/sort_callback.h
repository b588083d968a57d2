typedef unsigned long size_t;
int printf(const char *restrict, ...);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
typedef struct Player Player;
struct Player { char *name; long score; };
int compare_players(const void *, const void *);
