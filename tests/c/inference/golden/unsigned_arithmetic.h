typedef unsigned long size_t;
typedef unsigned uint32_t;
typedef unsigned long uint64_t;
extern unsigned int *crc_table;
extern unsigned long checksum;
