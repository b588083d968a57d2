int func0(int var1, int var2) { if (0) return var1 + var2; return 0; }
