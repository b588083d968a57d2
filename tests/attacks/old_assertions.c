#assert machine(other)
#ident "an .ident of the object"
int func0(int a, int b) { return a + b; }
