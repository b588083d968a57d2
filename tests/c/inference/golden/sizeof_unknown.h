typedef unsigned long size_t;
void *calloc(size_t, size_t);
void *memcpy(void *restrict, const void *restrict, size_t);
void *memset(void *, int, size_t);
#define NULL ((void *)0)
typedef struct packet_t packet_t;
typedef struct sample_t sample_t;
struct packet_t { unsigned long length; int checksum; };
struct sample_t { char unknown; };
