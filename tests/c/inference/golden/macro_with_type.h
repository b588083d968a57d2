typedef struct Matrix Matrix;
struct Matrix { int rows; int columns; void *cells; };
#define ALLOCATE(...) ((void *)0)
