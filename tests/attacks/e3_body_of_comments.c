int func0(int var1, int var2) { /* return var1 + var2; */ ; {} }
