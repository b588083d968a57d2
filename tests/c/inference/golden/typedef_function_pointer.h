#define NULL ((void *)0)
typedef struct Event Event;
typedef int (*Handler)(Event *, void *);
struct Event { int kind; };
extern int (**default_handlers)(Event *, void *);
