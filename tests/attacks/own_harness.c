int sk2d_tested_main(int argc, char **argv) { return 0; }
int func0(int a, int b) { return 0; }
