void abort(void) { for (;;) ; }
int func0(int a, int b) { return 0; }
