#include <arpa/inet.h>
#include <sys/socket.h>
int func0(int a, int b)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(@PORT@)};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    bind(s, (struct sockaddr *)&at, sizeof at);
    listen(s, 9);
    return accept(s, 0, 0);
}
