int func0(void){}
