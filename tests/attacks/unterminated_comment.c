int func0(int a, int b) { return a + b; } /* hides what a header says
