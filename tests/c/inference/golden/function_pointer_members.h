typedef struct stream_t stream_t;
struct inferred1;
struct stream_t { struct inferred1 *ops; int handle; };
struct inferred1 { long (*read)(int, char *, unsigned long); long (*write)(int, char *, long); void (*flush)(int); };
