typedef __builtin_va_list va_list;
typedef unsigned long size_t;
int vsnprintf(char *restrict, size_t, const char *restrict, __builtin_va_list);
#define va_arg(v,l) __builtin_va_arg(v,l)
#define va_end(v) __builtin_va_end(v)
#define va_start(v,l) __builtin_va_start(v,l)
struct parser;
typedef struct node_t node_t;
struct parser { int errors; char *message; };
void emit(struct parser *, int, node_t *);
