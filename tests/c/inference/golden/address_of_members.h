struct timeval { long tv_sec; long tv_usec; };
struct __pthread_internal_list { struct __pthread_internal_list *__prev; struct __pthread_internal_list *__next; };
typedef struct __pthread_internal_list __pthread_list_t;
struct __pthread_mutex_s { int __lock; unsigned __count; int __owner; unsigned __nusers; int __kind; short __spins; short __elision; __pthread_list_t __list; };
typedef union { struct __pthread_mutex_s __data; char __size[40]; long __align; } pthread_mutex_t;
typedef union { char __size[4]; int __align; } pthread_mutexattr_t;
int gettimeofday(struct timeval *restrict, void *restrict);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int sscanf(const char *restrict, const char *restrict, ...);
#define NULL ((void *)0)
typedef struct Session Session;
struct Session { pthread_mutex_t lock; struct timeval started; int peers; int options; int count; char *name; int major_version; int minor_version; };
void list_init(int *);
void parse_options(int, int *, char **);
