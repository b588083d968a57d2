/* Loaded into gcc's compiler proper, which has `#include "code.c"` as its only line. When it comes
   to open that file it has started up and knows its built-in functions; from there one copy of it
   is forked for each text that stands in stdin, as length (4 bytes) and bytes. A copy opens its own
   text in place of the file, writes its messages into a pipe of its own, and can reach neither the
   other texts nor the reports, which go to stdout. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NO_STOP, WALL, OUTPUT, FAILED = 120 };

struct report {
    int32_t status;
    uint32_t stop;
    uint64_t cpu_microseconds;
    uint64_t peak_kilobytes;
    uint32_t kept;
    uint32_t unused;
};

static uint64_t wall_milliseconds, most_output;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* Whether all bytes could be read. */
static int read_all(void *to, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = read(STDIN_FILENO, (char *)to + done, size - done);
        if (got <= 0)
            return 0;
        done += (size_t)got;
    }
    return 1;
}

static void write_all(int file, const void *from, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = write(file, (const char *)from + done, size - done);
        if (put < 0)
            _exit(FAILED);
        done += (size_t)put;
    }
}

/* Take messages until the copy ends or reaches a limit; what is above the cap is dropped. */
static void watch(pid_t child, int ended, int messages, char *kept, struct report *report)
{
    uint64_t deadline = now() + wall_milliseconds;
    struct pollfd files[2] = {{ended, POLLIN, 0}, {messages, POLLIN, 0}};
    char piece[65536];
    for (;;) {
        uint64_t time = now();
        int ready = poll(files, 2, time < deadline ? (int)(deadline - time) : 0);
        if (ready == 0) {
            report->stop = WALL;
            kill(child, SIGKILL);
            return;
        }
        if (files[1].revents) {
            ssize_t got = read(messages, piece, sizeof piece);
            if (got <= 0) {
                files[1].fd = -1;
                continue;
            }
            size_t room = most_output - report->kept;
            size_t taken = (size_t)got < room ? (size_t)got : room;
            memcpy(kept + report->kept, piece, taken);
            report->kept += (uint32_t)taken;
            if ((size_t)got > room) {
                report->stop = OUTPUT;
                kill(child, SIGKILL);
                return;
            }
        } else if (files[0].revents) {
            return;
        }
    }
}

static void report_on(pid_t child, int messages, char *kept)
{
    struct report report = {0};
    struct rusage usage;
    int ended = (int)syscall(SYS_pidfd_open, child, 0);
    if (ended < 0)
        _exit(FAILED);
    watch(child, ended, messages, kept, &report);
    int status;
    if (wait4(child, &status, 0, &usage) != child)
        _exit(FAILED);
    close(ended);
    close(messages);
    report.status = status;
    report.cpu_microseconds = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000
        + (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    report.peak_kilobytes = (uint64_t)usage.ru_maxrss;
    write_all(STDOUT_FILENO, &report, sizeof report);
    write_all(STDOUT_FILENO, kept, report.kept);
}

/* The text of this copy, as a file; the pipe is its stderr and nothing else is open to it. */
static int become_copy(const char *text, uint32_t size, const int pipe_ends[2])
{
    int file = memfd_create("code", MFD_CLOEXEC);
    if (file < 0 || dup2(pipe_ends[1], STDERR_FILENO) < 0)
        _exit(FAILED);
    write_all(file, text, size);
    lseek(file, 0, SEEK_SET);
    int nothing = openat(AT_FDCWD, "/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    close(nothing);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    return file;
}

static int serve(void)
{
    uint64_t settings[2];
    if (!read_all(settings, sizeof settings))
        _exit(FAILED);
    wall_milliseconds = settings[0], most_output = settings[1];
    prctl(PR_SET_DUMPABLE, 0);
    char *kept = malloc(most_output);
    for (uint32_t size; read_all(&size, sizeof size);) {
        char *text = mmap(NULL, size + 1UL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        int pipe_ends[2];
        if (kept == NULL || text == MAP_FAILED || !read_all(text, size)
            || pipe2(pipe_ends, O_CLOEXEC) != 0)
            _exit(FAILED);
        pid_t child = fork();
        if (child == 0)
            return become_copy(text, size, pipe_ends);
        if (child < 0)
            _exit(FAILED);
        close(pipe_ends[1]);
        munmap(text, size + 1UL);
        report_on(child, pipe_ends[0], kept);
    }
    _exit(0);
}

static int opened(const char *path, int flags, va_list rest)
{
    static int copy;
    if (!copy && strcmp(path, "code.c") == 0)
        return copy = 1, serve();
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    return openat(AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    int file = opened(path, flags, rest);
    va_end(rest);
    return file;
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
