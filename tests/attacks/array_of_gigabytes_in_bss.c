int func0(int a, int b) { static char many[8000000000L]; many[a] = 1; return many[a] + b; }
