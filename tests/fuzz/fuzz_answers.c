/* Answers of Slurm and of hosts give numbers and names that can be, or nothing. The first line is the word
 * that is looked for, the rest the answer. */
#include <stdlib.h>
#include <string.h>

#include "allocator/answers.h"
#include "fuzz.h"

static void require(int condition)
{
    if (!condition) abort();
}

static size_t count_lines(const char *text)
{
    size_t n = 1;
    for (; *text; text++) n += *text == '\n';
    return n;
}

static void read_job(const char *answer)
{
    char name[16] = "before";
    int cores = -1;
    if (!slurm_read_job(answer, name, sizeof name, &cores)) {
        require(cores == -1 && strcmp(name, "before") == 0);
        return;
    }
    require(name[0] && name[0] != '-' && !strpbrk(name, " \t\n;&|$`'\"\\<>(){}*?/"));
    require(strlen(name) < sizeof name && cores > 0 && cores <= ALLOCATOR_MAX_CORES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int cores;
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    char *answer = strchr(text, '\n');
    if (answer) {
        *answer++ = '\0';
        int n = slurm_count_free(answer), clearing = slurm_count_clearing(answer);
        require(n >= 0 && clearing >= 0 && (size_t)n + (size_t)clearing <= count_lines(answer));
        read_job(answer);
        const char *found = slurm_find_line(answer, text);
        char address[16] = "before";
        if (found && slurm_read_address(found, address, sizeof address))
            require(address[0] && !strpbrk(address, " \t\n:|;&'"));
        require(!found || (found > answer && found[-1] == '|'));
        require(slurm_job_in(text) >= 0 && slurm_job_in(answer) >= 0);
        if (host_read_greeting(answer, &cores)) require(cores >= 1 && cores <= ALLOCATOR_MAX_CORES);
    }
    free(text);
    return 0;
}
