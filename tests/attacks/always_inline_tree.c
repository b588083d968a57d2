static inline __attribute__((always_inline)) int f0(int a) { return a * 3 + 1; }
static inline __attribute__((always_inline)) int f1(int a) { return f0(a) + f0(a + 1) + f0(a + 2) + f0(a + 3); }
static inline __attribute__((always_inline)) int f2(int a) { return f1(a) + f1(a + 1) + f1(a + 2) + f1(a + 3); }
static inline __attribute__((always_inline)) int f3(int a) { return f2(a) + f2(a + 1) + f2(a + 2) + f2(a + 3); }
static inline __attribute__((always_inline)) int f4(int a) { return f3(a) + f3(a + 1) + f3(a + 2) + f3(a + 3); }
static inline __attribute__((always_inline)) int f5(int a) { return f4(a) + f4(a + 1) + f4(a + 2) + f4(a + 3); }
static inline __attribute__((always_inline)) int f6(int a) { return f5(a) + f5(a + 1) + f5(a + 2) + f5(a + 3); }
static inline __attribute__((always_inline)) int f7(int a) { return f6(a) + f6(a + 1) + f6(a + 2) + f6(a + 3); }
static inline __attribute__((always_inline)) int f8(int a) { return f7(a) + f7(a + 1) + f7(a + 2) + f7(a + 3); }
static inline __attribute__((always_inline)) int f9(int a) { return f8(a) + f8(a + 1) + f8(a + 2) + f8(a + 3); }
__attribute__((optimize("O3"))) int func0(int a, int b) { return f9(a) + f9(b); }
