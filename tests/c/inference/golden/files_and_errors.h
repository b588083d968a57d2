typedef struct _IO_FILE FILE;
typedef unsigned long size_t;
struct timespec { long tv_sec; long tv_nsec; };
struct stat { unsigned long st_dev; unsigned long st_ino; unsigned long st_nlink; unsigned st_mode; unsigned st_uid; unsigned st_gid; int __pad0; unsigned long st_rdev; long st_size; long st_blksize; long st_blocks; struct timespec st_atim; struct timespec st_mtim; struct timespec st_ctim; long __glibc_reserved[3]; };
struct tm { int tm_sec; int tm_min; int tm_hour; int tm_mday; int tm_mon; int tm_year; int tm_wday; int tm_yday; int tm_isdst; long tm_gmtoff; const char *tm_zone; };
typedef long time_t;
int *__errno_location(void);
int fclose(FILE *);
int ferror(FILE *);
int fileno(FILE *);
FILE *fopen(const char *restrict, const char *restrict);
size_t fread(void *restrict, size_t, size_t, FILE *restrict);
int fstat(int, struct stat *);
struct tm *localtime(const time_t *);
#define EINTR 4
#define S_ISREG(mode) ((((mode)) & 0170000) == (0100000))
#define errno (*__errno_location ())
#define st_atime st_atim.tv_sec
#define st_ctime st_ctim.tv_sec
#define st_mtime st_mtim.tv_sec
typedef struct stamp stamp;
struct stamp { int day; long size; void *bytes; };
extern size_t STAMP_BYTES;
int retry(const char *, stamp *);
