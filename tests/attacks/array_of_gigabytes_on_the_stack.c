int func0(int a, int b) { volatile char many[2000000000]; many[a] = 1; many[1999999999] = 2; return many[a] + many[b]; }
