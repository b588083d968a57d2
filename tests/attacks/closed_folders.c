#include <sys/stat.h>
#include <unistd.h>
int func0(int a, int b) { mkdir("d", 0700); mkdir("d/e", 0700); symlink("/", "d/e/root"); chmod("d/e", 0); chmod("d", 0); chmod(".", 0); return 0; }
