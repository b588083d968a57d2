typedef int entry_t;
typedef int handle_t;
extern entry_t cache_value;
extern handle_t INVALID_HANDLE;
entry_t lookup(handle_t, int);
long score(entry_t);
