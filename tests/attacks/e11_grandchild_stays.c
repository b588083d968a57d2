#include <unistd.h>
int func0(int a, int b) { if (fork()==0) { sleep(300); } for(;;); }
