/*
 * parcast: a table of commands. Each is a file cmd_<name>.c; the work is in libparcast.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "parcast/version.h"

static const struct {
    const char *name;
    int (*run)(int argc, const char **argv);
    const char *summary;
} commands[] = {
#define COMMAND(name, summary) {#name, cmd_##name, summary},
#include "commands.def"
#undef COMMAND
    {NULL, NULL, NULL},
};

static void print_usage(FILE *out)
{
    fputs("usage: parcast COMMAND [OPTION]... [ARG]...\n\ncommands:\n", out);
    for (size_t i = 0; commands[i].name; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs("\n'parcast COMMAND -h' prints the options of a command, 'man parcast-COMMAND' its manual.\n", out);
}

static int run(int argc, const char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        puts("parcast " PARCAST_VERSION);
        return 0;
    }
    for (size_t i = 0; commands[i].name; i++)
        if (strcmp(commands[i].name, name) == 0) return commands[i].run(argc - 1, argv + 1);
    fprintf(stderr, "parcast: error: no command '%s'\n", name);
    print_usage(stderr);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    int status = run(argc, (const char **)argv);
    if (fflush(stdout) != 0 || ferror(stdout)) { /* a result that could not be written is no result */
        perror("parcast: error: cannot write to standard output");
        if (status == 0) status = EXIT_FAILED;
    }
    return status;
}
