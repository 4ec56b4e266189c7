/*
 * parcast: a table of commands. Each is a file cmd_<name>.c; the work is in libparcast.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "kept_memory.h"
#include "one_thread.h"
#include "parcast/version.h"

static const struct {
    const char *name;
    int (*run)(int argc, const char **argv);
    const char *summary;
} commands[] = {
#define COMMAND(name, summary)              {#name, cmd_##name, summary},
#define COMMAND_AS(name, function, summary) {#name, cmd_##function, summary},
#include "commands.def"
#undef COMMAND
#undef COMMAND_AS
    {NULL, NULL, NULL},
};

static void print_usage(FILE *out)
{
    fputs("usage: parcast COMMAND [OPTION]... [ARG]...\n\ncommands:\n", out);
    for (size_t i = 0; commands[i].name; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs("\n'parcast COMMAND -h' prints the options of a command, 'man parcast-COMMAND' its manual.\n", out);
}

/* Letters to change, add or leave out (Levenshtein 1966), for names of up to 15 letters. */
static int edits(const char *a, const char *b)
{
    int row[16], n = (int)strlen(b);
    if (n > 15) return n;
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 1; *a; a++, i++) {
        int before = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int changed = before + (*a != b[j - 1]), above = row[j] + 1, left = row[j - 1] + 1;
            before = row[j];
            row[j] = changed < above ? changed : above;
            if (left < row[j]) row[j] = left;
        }
    }
    return row[n];
}

static const char *command_like(const char *name)
{
    const char *best = NULL;
    int fewest = 3;
    for (size_t i = 0; commands[i].name; i++) {
        int n = edits(name, commands[i].name);
        if (n >= fewest) continue;
        fewest = n;
        best = commands[i].name;
    }
    return best;
}

static int run_command(int argc, const char **argv)
{
    for (size_t i = 0; commands[i].name; i++)
        if (strcmp(commands[i].name, argv[0]) == 0) return commands[i].run(argc, argv);
    const char *like = command_like(argv[0]);
    fprintf(stderr, "parcast: error: no command '%s'\n", argv[0]);
    if (like) {
        fprintf(stderr, "hint: did you mean 'parcast %s'?\n", like);
        return EXIT_USAGE;
    }
    print_usage(stderr);
    return EXIT_USAGE;
}

static int run(int argc, const char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 && argc > 2) {
        const char *words[] = {argv[2], "-h", NULL};
        return run_command(2, words);
    }
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        puts("parcast " PARCAST_VERSION);
        return 0;
    }
    return run_command(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    one_thread_restore();
    if (argc > 1 && strcmp(argv[1], "estimate") == 0) kept_memory_begin(argv);
    int status = run(argc, (const char **)argv);
    if (fflush(stdout) != 0 || ferror(stdout)) { /* a result that could not be written is no result */
        perror("parcast: error: cannot write to standard output");
        if (status == 0) status = EXIT_FAILED;
    }
    return status;
}
