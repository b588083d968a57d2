/* The part of a test program that is ours: it takes the secret word before any code of the
   candidate runs, pins what differs from run to run, runs the test, and gives the word away only
   when the test's own main has returned 0. The candidate can call nothing here by name. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORD_FD = 3, WORD_BYTES = 16, ASSERTION_FAILED = 134 };

int sk2d_tested_main(int argc, char **argv);

/* The test's functions tell when they begin and end (-finstrument-functions). Both names are
   replaced by random ones, so that the candidate, whose text came before, cannot call them. */
static volatile int main_came_to_its_end;

void sk2d_function_begins(void *function, void *caller)
{
    (void)function, (void)caller;
}

void sk2d_function_ends(void *function, void *caller)
{
    (void)caller;
    if (function == (void *)sk2d_tested_main)
        main_came_to_its_end = 1;
}

static volatile unsigned char hidden[WORD_BYTES];

static void take_word(int argc, char **argv, char **environment)
{
    (void)argc, (void)argv, (void)environment;
    unsigned char word[WORD_BYTES] = {0};
    if (read(WORD_FD, word, sizeof word) != sizeof word)
        _exit(1);
    close(WORD_FD);
    for (int i = 0; i < WORD_BYTES; i++) {
        hidden[i] = word[i] ^ 0x5a;
        ((volatile unsigned char *)word)[i] = 0;
    }
}

/* Functions here run before all constructors, in the order of the link; this file comes first. */
__attribute__((section(".preinit_array"), used)) static void (*const at_start)(int, char **, char **)
    = take_word;

/* What assert calls when it fails: ends at once, so that no handler of the candidate gets a say. */
void __assert_fail(const char *what, const char *file, unsigned int line, const char *function)
{
    (void)file, (void)line, (void)function;
    static const char before[] = "assertion failed: ";
    if (write(2, before, sizeof before - 1) < 0 || write(2, what, strlen(what)) < 0)
        _exit(ASSERTION_FAILED);
    _exit(ASSERTION_FAILED);
}

/* The clock starts at the same time in each run and goes on by a millisecond with each look. */
static long milliseconds = 1000000000L * 1000;

struct moment {
    long seconds, parts;
};

static void look(struct moment *now, long parts_per_millisecond)
{
    milliseconds++;
    now->seconds = milliseconds / 1000;
    now->parts = milliseconds % 1000 * parts_per_millisecond;
}

long time(long *result)
{
    struct moment now;
    look(&now, 1);
    if (result)
        *result = now.seconds;
    return now.seconds;
}

long clock(void)
{
    struct moment now;
    look(&now, 1);
    return milliseconds % 1000000000L * 1000;
}

int gettimeofday(struct moment *now, void *zone)
{
    (void)zone;
    look(now, 1000);
    return 0;
}

int clock_gettime(int which, struct moment *now)
{
    (void)which;
    look(now, 1000000);
    return 0;
}

int main(int argc, char **argv)
{
    static const char digits[] = "0123456789abcdef";
    char line[2 * WORD_BYTES + 2] = "\n";
    srand(1);
    int code = sk2d_tested_main(argc, argv);
    if (code != 0)
        return code;
    if (!main_came_to_its_end) /* the candidate returned out of it by rewriting the stack */
        return 0;
    for (int i = 0; i < WORD_BYTES; i++) {
        unsigned char byte = hidden[i] ^ 0x5a;
        line[2 * i + 1] = digits[byte >> 4];
        line[2 * i + 2] = digits[byte & 15];
    }
    line[sizeof line - 1] = '\n';
    return write(1, line, sizeof line) != sizeof line;
}
