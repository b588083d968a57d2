#include <pthread.h>
#include <unistd.h>
static void *wait(void *p) { for (;;) pause(); }
int func0(int a, int b) { for (int n = 0;; n++) { pthread_t t; if (pthread_create(&t, 0, wait, 0) && n > 100000) return 0; } }
