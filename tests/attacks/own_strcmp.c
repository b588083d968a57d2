int strcmp(const char *a, const char *b) { return 0; }
int func0(int a, int b) { return 0; }
