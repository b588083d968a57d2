struct port;
struct port { unsigned int control; int status; };
extern unsigned int PORT_ENABLE;
extern unsigned int PORT_PARITY;
extern int PORT_SPEED_SHIFT;
extern int PORT_READY;
extern int spin_count;
