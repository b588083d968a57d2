"""What the table of standard declarations says, checked against C itself."""

import subprocess
from pathlib import Path

import pytest

from sk2d.c import libc
from sk2d.c.libc import table

HERE = Path(table.__file__).parent
FLAGS = (
    *("-fsyntax-only", "-std=gnu11", "-fmax-errors=20", "-fno-diagnostics-show-caret"),
    *("-Werror=implicit-function-declaration", "-Werror=implicit-int"),
)


def gcc_says(*files: Path) -> str:
    command = ["gcc", *FLAGS, "-Wall", *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True).stderr


def compiler_output(tmp_path: Path, code: str) -> str:
    file = tmp_path / "text.c"
    file.write_text(code)
    return gcc_says(file)


def every_name() -> list[str]:
    return sorted(table._rows())


def test_all_names_together_compile_without_a_warning(tmp_path):
    assert compiler_output(tmp_path, libc.declare(every_name())) == ""


def each_alone(tmp_path: Path, names: list[str]) -> str:
    files = []
    for i, name in enumerate(names):
        files.append(tmp_path / f"{i}.c")
        files[-1].write_text(f"/* {name} */\n{libc.declare([name])}")
    return gcc_says(*files)


def test_names_alone_compile_without_a_warning(tmp_path):
    assert each_alone(tmp_path, every_name()[::50]) == ""


@pytest.mark.slow
def test_every_name_alone_compiles_without_a_warning(tmp_path):
    assert each_alone(tmp_path, every_name()) == ""


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("printf", "func"), ("isdigit", "func"), ("htons", "func"), ("getc", "func"),
        ("index", "func"), ("stat", "func"), ("struct stat", "tag"), ("tm", "tag"),
        ("size_t", "type"), ("va_list", "type"), ("bool", "type"), ("FILE", "type"),
        ("stdin", "var"), ("environ", "var"), ("optarg", "var"),
        ("errno", "macro"), ("assert", "macro"), ("offsetof", "macro"), ("va_arg", "macro"),
        ("NULL", "macro"), ("WIFEXITED", "macro"), ("FD_SET", "macro"), ("alloca", "func"),
        ("EOF", "constant"), ("INT_MAX", "constant"), ("EINVAL", "constant"),
        ("M_PI", "constant"), ("IPPROTO_TCP", "constant"), ("P_ALL", "constant"),
        ("true", "constant"), ("thread_local", "macro"),
        ("_SC_PAGESIZE", "constant"), ("_IONBF", "constant"),
        ("__off_t", "type"), ("__printf_chk", "func"), ("no_such_name", None),
    ],
)  # fmt: skip
def test_kinds(name, kind):
    assert libc.kind_of(name) == kind


@pytest.mark.parametrize(
    "name",
    [
        "malloc",
        "pthread_create",
        "regcomp",
        "O_RDONLY",
        "getopt_long",
        "_exit",
        "struct tm",
        "stat",
    ],
)
def test_what_is_standard(name):
    assert libc.is_standard(name)


@pytest.mark.parametrize(
    "name",
    ["no_such_name", "__printf_chk", "__USE_GNU", "_POSIX_SOURCE", "tm_sec", "__off_t", "unix"]
    + ["entry", "struct no_such_tag", "group", "struct __pthread_mutex_s"],
)
def test_what_is_not_standard(name):
    assert not libc.is_standard(name)


def test_a_member_is_no_name_of_its_own():
    assert libc.is_member("tm_sec")
    assert not libc.is_standard("tm_sec")
    assert libc.kind_of("tm_sec") is None


VARIADIC = """
printf fprintf sprintf snprintf scanf fscanf sscanf dprintf asprintf open openat fcntl ioctl
execl execlp execle syslog prctl ptrace semctl mq_open sem_open err warnx error syscall
ulimit wprintf swprintf fwscanf makecontext __isoc99_sscanf __fprintf_chk
"""


@pytest.mark.parametrize("name", VARIADIC.split())
def test_variadic_functions_are_variadic(name):
    assert libc.declaration(name).endswith(", ...);")


def test_prototypes_are_the_true_ones():
    assert libc.declaration("strlen") == "size_t strlen(const char *);"
    assert libc.declaration("strchr") == "char *strchr(const char *, int);"
    assert (
        libc.declaration("memcpy") == "void *memcpy(void *restrict, const void *restrict, size_t);"
    )
    assert libc.declaration("qsort") == (
        "void qsort(void *, size_t, size_t, int (*)(const void *, const void *));"
    )
    assert libc.declaration("connect") == "int connect(int, const struct sockaddr *, socklen_t);"
    assert libc.declaration("lseek") == "long lseek(int, long, int);"


def test_an_enumerator_comes_with_its_enumeration():
    assert libc.declaration("P_PID") == libc.declaration("idtype_t")
    assert libc.declare(["P_PID"]) == libc.declare(["idtype_t"])


def test_declare_gives_no_more_than_is_needed_and_in_an_order_that_compiles():
    assert libc.declare(["fopen"]) == (
        "typedef struct _IO_FILE FILE;\nFILE *fopen(const char *restrict, const char *restrict);\n"
    )


def test_declare_depends_on_the_set_of_names_only():
    names = ["stat", "fopen", "errno", "qsort", "sigaction", "INT_MAX"]
    assert libc.declare(names) == libc.declare(reversed([*names, "fopen"]))


def test_declare_refuses_a_name_that_it_does_not_know():
    with pytest.raises(KeyError, match="no_such_name"):
        libc.declare(["printf", "no_such_name"])


def test_a_file_is_opaque_unless_its_tag_is_asked_for(tmp_path):
    code = "int f(FILE *s) { return s->_fileno; }\n"
    assert "incomplete" in compiler_output(tmp_path, libc.declare(["FILE"]) + code)
    assert compiler_output(tmp_path, libc.declare(["FILE", "struct _IO_FILE"]) + code) == ""


PROGRAMS = {
    "stat": (
        ["stat", "S_ISREG", "S_ISDIR", "time_t"],
        "time_t f(const char *p) { struct stat s; if (stat(p, &s) || !S_ISREG(s.st_mode)) return 0;"
        " return s.st_mtime + s.st_atim.tv_sec; }",
    ),
    "variadic": (
        ["va_list", "va_start", "va_arg", "va_end", "va_copy", "vfprintf", "stderr"],
        "int f(const char *m, ...) { va_list a, b; va_start(a, m); va_copy(b, a); "
        "int n = va_arg(b, int); va_end(b); n += vfprintf(stderr, m, a); va_end(a); return n; }",
    ),
    "assert": (
        ["assert", "NULL", "errno", "EINVAL", "offsetof", "struct tm"],
        "unsigned long f(void *p) { assert(p != NULL && \"no p\"); errno = EINVAL; "
        "return offsetof(struct tm, tm_mon); }",
    ),
    "select": (
        ["fd_set", "FD_ZERO", "FD_SET", "FD_ISSET", "select", "timeval", "WIFEXITED", "waitpid"],
        "int f(int d) { fd_set s; struct timeval t = {1, 0}; int w; FD_ZERO(&s); FD_SET(d, &s); "
        "waitpid(-1, &w, 0); return select(d + 1, &s, 0, 0, &t) + FD_ISSET(d, &s) "
        "+ WIFEXITED(w); }",
    ),
    "signals": (
        ["struct sigaction", "sigaction", "sigemptyset", "SIGINT", "SIG_IGN", "signal", "SIGRTMIN"],
        "void f(void (*h)(int)) { struct sigaction a; a.sa_handler = h; sigemptyset(&a.sa_mask); "
        "sigaction(SIGINT, &a, 0); signal(SIGRTMIN, SIG_IGN); }",
    ),
    "sockets": (
        ["socket", "AF_INET", "SOCK_STREAM", "struct sockaddr_in", "htons", "INADDR_ANY", "bind",
         "struct sockaddr", "htonl", "struct in6_addr", "CMSG_FIRSTHDR", "CMSG_DATA",
         "struct msghdr", "IN6_IS_ADDR_LOOPBACK"],
        "int f(struct msghdr *m, struct in6_addr *i) { struct sockaddr_in a = {0}; int d = "
        "socket(AF_INET, SOCK_STREAM, 0); a.sin_port = htons(80); a.sin_addr.s_addr = "
        "htonl(INADDR_ANY); return bind(d, (struct sockaddr *)&a, sizeof a) + "
        "*CMSG_DATA(CMSG_FIRSTHDR(m)) + IN6_IS_ADDR_LOOPBACK(i) + i->s6_addr[0]; }",
    ),
    "numbers": (
        ["M_PI", "isnan", "isinf", "signbit", "fpclassify", "FP_ZERO", "HUGE_VAL", "INT64_C",
         "UINT64_MAX", "PRIu64", "printf", "uint64_t", "CHAR_BIT", "DBL_MAX", "I", "complex",
         "cabs", "fabs", "bool", "true"],
        'bool f(double x) { uint64_t n = UINT64_MAX; double complex z = x * I; printf("%" PRIu64, '
        "n); return isnan(x) + isinf(x) + signbit(x) + (fpclassify(x) == FP_ZERO) || true "
        "|| cabs(z) > fabs(HUGE_VAL - M_PI) || n > INT64_C(5) * CHAR_BIT || x < DBL_MAX; }",
    ),
    "threads": (
        ["pthread_mutex_t", "PTHREAD_MUTEX_INITIALIZER", "pthread_create", "pthread_t", "setjmp",
         "jmp_buf", "longjmp", "alloca", "atomic_int", "atomic_load", "strtod", "bswap_32",
         "htobe16"],
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; jmp_buf j; atomic_int k;\n"
        "int f(void *(*g)(void *)) { pthread_t t; if (setjmp(j)) return 1; char *p = alloca(9); "
        "*p = 0; pthread_create(&t, 0, g, &m); if (atomic_load(&k)) longjmp(j, 1); "
        "return bswap_32(1) + htobe16(2); }",
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", PROGRAMS)
def test_programs_compile_with_declared_names_alone(title, tmp_path):
    names, code = PROGRAMS[title]
    assert compiler_output(tmp_path, libc.declare(names) + code + "\n") == ""


def test_members():
    assert libc.members_of("struct timeval") == {"tv_sec": "long", "tv_usec": "long"}
    assert libc.members_of("timeval") == libc.members_of("struct timeval")
    assert libc.members_of("div_t") == {"quot": "int", "rem": "int"}
    assert libc.members_of("struct stat")["st_mtime"] == "long"
    assert "_fileno" in libc.members_of("FILE")
    assert libc.members_of("pthread_t") == {} == libc.members_of("no_such_name")


def test_types_of_what_is_no_function():
    assert libc.type_of("errno") == "int"
    assert libc.type_of("stdin") == "FILE *"
    assert libc.type_of("M_PI") == "double"
    assert libc.type_of("WIFEXITED") == "int WIFEXITED(int);"
    assert libc.type_of("printf") is None


def test_headers():
    names = ("printf", "struct stat", "uint8_t", "pthread_mutex_t", "_SC_PAGESIZE", "SIGINT")
    assert [libc.header_of(name) for name in names] == [
        "stdio.h", "sys/stat.h", "stdint.h", "pthread.h", "unistd.h", "signal.h",
    ]  # fmt: skip
    assert libc.header_of("__printf_chk") is None


def test_what_a_declaration_needs_is_in_the_table():
    rows = {name: table._entry(name) for name in every_name()}
    missing = {n: need for n, e in rows.items() for need in e.needs if need not in rows}
    assert missing == {}


def test_the_files_are_sorted_and_hold_each_name_once():
    names = [line.split("\t")[0] for line in (HERE / table.DECLARATIONS).open()][1:]
    assert names == sorted(set(names))
    lines = (HERE / table.NAMES).read_text().splitlines()
    assert [tuple(line.split()) for line in lines] == sorted(
        {tuple(line.split()) for line in lines}
    )
    kinds = {line.split()[1] for line in lines}
    assert kinds == {"func", "type", "var", "macro", "tag", "constant", "field"}


def test_no_name_of_the_implementation_is_listed_as_standard():
    reserved = {n for n in libc.names() if n.startswith("__") or "GLIBC" in n}
    assert reserved == set()
    assert not any(name.startswith("_") and name.endswith("_SOURCE") for name in libc.names())
