#include <pthread.h>
#include <unistd.h>
static void *leave(void *p) { _exit(0); }
int func0(int a, int b) { pthread_t t; pthread_create(&t, 0, leave, 0); sleep(9); return 0; }
