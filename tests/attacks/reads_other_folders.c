#include <dirent.h>
#include <stdio.h>
int func0(int a, int b)
{
    static const char *const names[] = {"@FOLDER@", "/root", "/home", "/tmp", "/work", "/var/tmp", "/dev/shm"};
    for (int i = 0; i < 7; i++) {
        DIR *d = opendir(names[i]);
        for (struct dirent *e; d && (e = readdir(d));) fprintf(stderr, "%s\n", e->d_name);
    }
    return 0;
}
