#define NULL ((void *)0)
typedef int Colour;
enum { COLOUR_RED = 1024 };
enum { COLOUR_GREEN = 1025 };
enum { COLOUR_BLUE = 1026 };
extern Colour COLOUR_NONE;
