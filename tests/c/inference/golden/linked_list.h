typedef unsigned long size_t;
void abort(void);
void *malloc(size_t);
#define NULL ((void *)0)
typedef struct Queue Queue;
typedef struct Item Item;
struct Queue { Item *last; Item *first; int length; };
struct Item { void *payload; Item *next; };
