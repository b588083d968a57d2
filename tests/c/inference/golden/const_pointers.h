typedef unsigned long size_t;
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
size_t strlen(const char *);
typedef struct wordlist wordlist;
struct wordlist { int *words; size_t count; int (*compare)(const void *, const void *); };
char *skip_word(const char *, const char *);
