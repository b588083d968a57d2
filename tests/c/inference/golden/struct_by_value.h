typedef struct Point Point;
struct Point { int x; int y; };
extern int bounds;
Point clamp(Point, int);
