#include <pthread.h>
static void *spin(void *p) { for (;;) ; }
int func0(int a, int b) { pthread_t t; for (int n = 0; n < 8; n++) pthread_create(&t, 0, spin, 0); pthread_join(t, 0); return 0; }
