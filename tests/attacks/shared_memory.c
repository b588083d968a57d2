#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
int func0(int a, int b) { int id = shmget(0x5b2d, 1 << 20, IPC_CREAT | 0600); void *p = shmat(id, 0, 0); if (p != (void *)-1) memset(p, 7, 1 << 20); return 0; }
