typedef unsigned long size_t;
typedef struct Offer Offer;
struct Offer { float price; int id; };
