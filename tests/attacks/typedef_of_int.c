typedef double real;
int func0(int a, int b) { return (real)a + b; }
