#include "allocator/answers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char greeting[] = "parcast ";

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : NULL;
}

/* A number in [1, most] before one of the ends, or 0. */
static long number_before(const char *text, const char *ends, long most)
{
    char *end;
    if (*text < '0' || *text > '9') return 0;
    errno = 0;
    long number = strtol(text, &end, 10);
    return errno || number < 1 || number > most || (*end && !strchr(ends, *end)) ? 0 : number;
}

/* "n1|idle|0/2/0/2": no core of it is taken and it answers ('*' after the state: it does not). */
static bool is_unused(const char *line, const char *state)
{
    size_t name = strcspn(line, "|\n"), length = strlen(state);
    return line[name] == '|' && strncmp(line + name + 1, state, length) == 0 &&
           strncmp(line + name + 1 + length, "|0/", 3) == 0;
}

static int count_unused(const char *answer, const char *state)
{
    const char *before = NULL;
    size_t before_length = 0;
    int n = 0;
    for (const char *line = answer; line && *line; line = next_line(line)) {
        size_t length = strcspn(line, "|\n");
        bool again = before && before_length == length && strncmp(before, line, length) == 0;
        if (!again && is_unused(line, state)) n++; /* not again where it is in two partitions */
        before = line;
        before_length = length;
    }
    return n;
}

int slurm_count_free(const char *answer)
{
    return count_unused(answer, "idle");
}

int slurm_count_clearing(const char *answer)
{
    return count_unused(answer, "completing");
}

/* As Slurm allows them; they become words of a shell. */
static bool is_name(const char *text, size_t length)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    return length > 0 && text[0] != '-' && strspn(text, allowed) >= length;
}

bool slurm_read_job(const char *answer, char *name, size_t size, int *cores)
{
    size_t length = strcspn(answer, "|\n");
    if (!is_name(answer, length) || length >= size || answer[length] != '|') return false;
    long count = number_before(answer + length + 1, "|\n", ALLOCATOR_MAX_CORES);
    if (count == 0) return false;
    memcpy(name, answer, length);
    name[length] = '\0';
    *cores = (int)count;
    return true;
}

long slurm_job_in(const char *line)
{
    static const char words[] = "job allocation ";
    const long most = 0x7fffffff;
    const char *found = strstr(line, words);
    return found ? number_before(found + sizeof words - 1, " \r\n", most) : 0;
}

const char *slurm_find_line(const char *answer, const char *word)
{
    size_t length = strlen(word);
    for (const char *line = answer; line; line = next_line(line))
        if (strncmp(line, word, length) == 0 && line[length] == '|') return line + length + 1;
    return NULL;
}

bool slurm_read_address(const char *rest, char *address, size_t size)
{
    size_t length = strcspn(rest, " \r\n");
    if (!is_name(rest, length) || length >= size) return false;
    memcpy(address, rest, length);
    address[length] = '\0';
    return true;
}

bool host_read_greeting(const char *line, int *cores)
{
    if (strncmp(line, greeting, sizeof greeting - 1) != 0) return false;
    long number = number_before(line + sizeof greeting - 1, " \r\n", ALLOCATOR_MAX_CORES);
    *cores = number > 0 ? (int)number : 1;
    return true;
}
