struct failure;
struct failure { int level; char *text; int code; double weight; };
extern int LOG_LEVEL_INFO;
int log_line(int, char *, ...);
