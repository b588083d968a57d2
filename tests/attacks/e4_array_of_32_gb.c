int a[1ULL<<33]={1}; int func0(int b, int c){return a[0];}
