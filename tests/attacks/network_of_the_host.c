#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
int func0(int a, int b)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(@PORT@), .sin_addr = {htonl(0x7f000001)}};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr *)&to, sizeof to) == 0) { write(s, "out", 3); fputs("connected", stderr); return 3; }
    s = socket(AF_INET, SOCK_DGRAM, 0);
    sendto(s, "out", 3, 0, (struct sockaddr *)&to, sizeof to);
    return 0;
}
