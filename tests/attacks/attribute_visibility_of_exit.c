void exit(int code) { for (;;) code++; }
