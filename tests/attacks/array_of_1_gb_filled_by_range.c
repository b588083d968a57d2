int func0(int a, int b) { static char many[1 << 30] = {[0 ... (1 << 30) - 1] = 7}; return many[a] + b; }
