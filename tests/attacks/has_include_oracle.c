#if __has_include("@CANARY@") || __has_include("/etc/passwd") || __has_include("/etc/hostname")
#error a file of the host is seen
#endif
int func0(int a, int b) { return a + b; }
