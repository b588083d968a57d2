double floor(double);
int isnan(double);
double sqrt(double);
typedef struct vec3 vec3;
struct vec3 { float x; float y; };
extern double gain;
extern double offset;
