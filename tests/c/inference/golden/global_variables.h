char *strcpy(char *restrict, const char *restrict);
#define false 0
extern double clock_ticks;
extern double TICK_STEP;
extern double alarm_at;
extern int alarm_armed;
extern double load_average;
extern char *last_event;
extern char **event_log;
extern int event_count;
