_Static_assert(sizeof(long) == 4, "an oracle");
int func0(int a, int b) { return a + b; }
