#pragma push_macro("EOF")
#undef EOF
#pragma pop_macro("EOF")
int func0(int a, int b) { return a + b; }
