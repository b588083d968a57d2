#include <sys/stat.h>
#include <unistd.h>
int func0(int a, int b) { for (int n = 0; n < 1000000; n++) { if (mkdir("d", 0700)) return 0; if (chdir("d")) return 0; } return 0; }
