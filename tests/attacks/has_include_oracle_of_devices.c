#if __has_include("/root/.ssh/id_rsa") || __has_include("/dev/sda")
#error a file of the host is seen
#endif
int func0(int a, int b) { return a + b; }
