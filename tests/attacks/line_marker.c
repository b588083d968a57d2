# 1 "@CANARY@"
int func0(int a, int b) { return undeclared_name; }
