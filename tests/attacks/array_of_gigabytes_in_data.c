int func0(int a, int b) { static int many[1 << 28] = {1, 2, 3}; return many[a] + b; }
