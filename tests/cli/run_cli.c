#include "run_cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

static char folder[64];

const char *cli_folder(void)
{
    return folder;
}

int cli_folder_create(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/parcast-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

int cli_folder_remove(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static char *read_file(const char *name)
{
    char path[128];
    enum { MAX_TEXT = 1 << 22 };
    char *text = malloc(MAX_TEXT);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_non_null(text);
    size_t size = fread(text, 1, MAX_TEXT - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

struct outcome run_cli(const char *arguments, ...)
{
    char words[2048], command[4096];
    va_list list;
    va_start(list, arguments);
    vsnprintf(words, sizeof words, arguments, list);
    va_end(list);
    snprintf(command, sizeof command, "cd '%s' && '%s' %s >.out 2>.err", folder, PARCAST_PROGRAM, words);
    int status = system(command);
    assert_true(WIFEXITED(status));
    return (struct outcome){WEXITSTATUS(status), read_file(".out"), read_file(".err")};
}

void outcome_clear(struct outcome *outcome)
{
    free(outcome->out);
    free(outcome->err);
}
