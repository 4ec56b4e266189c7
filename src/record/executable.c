/* Finding programs, reading the headers of their files, asking a helper. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/internal.h"

#if defined(__x86_64__)
enum { OWN_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { OWN_MACHINE = EM_AARCH64 };
#else
#error "recording is made for Linux on x86-64 and aarch64"
#endif

parcast_status record_no_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
}

parcast_status record_copy(const char *text, char **copy, parcast_error *error)
{
    *copy = strdup(text);
    return *copy ? PARCAST_OK : record_no_memory(error);
}

const char *record_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_executable(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, X_OK) == 0;
}

char *record_find_executable(const char *name)
{
    if (strchr(name, '/')) return is_executable(name) ? strdup(name) : NULL;
    const char *folders = getenv("PATH");
    if (!folders || !name[0]) return NULL;
    for (const char *begin = folders;; begin++) {
        size_t length = strcspn(begin, ":");
        char *path = NULL;
        int made =
            length ? asprintf(&path, "%.*s/%s", (int)length, begin, name) : asprintf(&path, "./%s", name);
        if (made < 0) return NULL;
        if (is_executable(path)) return path;
        free(path);
        begin += length;
        if (!*begin) return NULL;
    }
}

static const char *machine_name(unsigned machine, unsigned word_bits)
{
    switch (machine) {
    case EM_386:
        return "32-bit x86";
    case EM_X86_64:
        return word_bits == 32 ? "x32" : "x86-64";
    case EM_ARM:
        return "32-bit ARM";
    case EM_AARCH64:
        return "ARM (aarch64)";
    case EM_PPC64:
        return "POWER";
    case EM_RISCV:
        return "RISC-V";
    default:
        return "another architecture";
    }
}

/* The path in the PT_INTERP segment; none: a static program. Headers that lie are a static program too. */
static void read_loader(int fd, const Elf64_Ehdr *header, record_file *file)
{
    file->is_static = header->e_type == ET_EXEC || header->e_type == ET_DYN;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        off_t at = (off_t)(header->e_phoff + (uint64_t)i * sizeof segment);
        if (pread(fd, &segment, sizeof segment, at) != (ssize_t)sizeof segment) return;
        if (segment.p_type != PT_INTERP || segment.p_filesz >= sizeof file->interpreter) continue;
        ssize_t n = pread(fd, file->interpreter, segment.p_filesz, (off_t)segment.p_offset);
        file->interpreter[n > 0 ? n : 0] = '\0';
        file->is_static = n <= 0;
        return;
    }
}

static void read_elf(int fd, record_file *file)
{
    Elf64_Ehdr header = {0};
    file->kind = RECORD_FILE_ELF;
    ssize_t n = pread(fd, &header, sizeof header, 0);
    unsigned bits = header.e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32; /* e_machine lies at the same place */
    file->foreign = n < (ssize_t)sizeof header || bits != 64 || header.e_machine != OWN_MACHINE;
    if (file->foreign)
        snprintf(file->machine, sizeof file->machine, "%s", machine_name(header.e_machine, bits));
    else
        read_loader(fd, &header, file);
}

static void read_script(const char *head, record_file *file)
{
    file->kind = RECORD_FILE_SCRIPT;
    const char *word = head + 2 + strspn(head + 2, " \t");
    size_t length = strcspn(word, " \t\r\n");
    if (length < sizeof file->interpreter) snprintf(file->interpreter, length + 1, "%s", word);
}

parcast_status record_file_read(const char *path, record_file *file, parcast_error *error)
{
    char head[256] = {0};
    struct stat status;
    int fd = stat(path, &status) == 0 ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (fd < 0)
        return parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "cannot read '%s': %s", path,
                                 strerror(errno));
    if (!S_ISREG(status.st_mode)) { /* a pipe among the arguments is the program's to read */
        close(fd);
        return parcast_error_set(error, PARCAST_NOT_FOUND, NULL, 0, "'%s' is not a file", path);
    }
    memset(file, 0, sizeof *file);
    file->kind = RECORD_FILE_OTHER;
    ssize_t n = pread(fd, head, sizeof head - 1, 0);
    if (n >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0)
        read_elf(fd, file);
    else if (n >= 2 && head[0] == '#' && head[1] == '!')
        read_script(head, file);
    close(fd);
    return PARCAST_OK;
}

/* Everything that a pipe gives, ended by a zero byte; NULL when memory is out or it is absurdly long. */
static char *read_all(int fd)
{
    enum { LIMIT = 1 << 20 };
    char *text = malloc(LIMIT);
    size_t length = 0;
    if (!text) return NULL;
    while (length < LIMIT - 1) {
        ssize_t n = read(fd, text + length, LIMIT - 1 - length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        length += (size_t)n;
    }
    text[length] = '\0';
    return text;
}

/* The environment without what would preload something into a helper. */
static char **helper_environment(void)
{
    size_t n = 0, kept = 0;
    while (environ[n]) n++;
    char **copy = calloc(n + 1, sizeof *copy);
    for (size_t i = 0; i < n && copy; i++)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0) copy[kept++] = environ[i];
    return copy;
}

static int spawn_into_pipe(const char *const *words, int pipe_end, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    char **environment = helper_environment();
    if (!environment || posix_spawn_file_actions_init(&actions) != 0) {
        free(environment);
        return ENOMEM;
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_end, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawn(child, words[0], &actions, NULL, (char *const *)words, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return failed;
}

parcast_status record_capture(const char *const *words, char **text, parcast_error *error)
{
    int ends[2], how = 0;
    pid_t child = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot make a pipe: %s", strerror(errno));
    int failed = spawn_into_pipe(words, ends[1], &child);
    close(ends[1]);
    char *printed = failed ? NULL : read_all(ends[0]);
    close(ends[0]);
    if (!failed)
        while (waitpid(child, &how, 0) < 0 && errno == EINTR) continue;
    if (!failed && !printed) return record_no_memory(error);
    if (failed || !WIFEXITED(how) || WEXITSTATUS(how) != 0) {
        free(printed);
        printed = NULL;
    }
    *text = printed;
    return PARCAST_OK;
}
