#include "compiler/assembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool assembly_takes_files(const char *source)
{
    FILE *in = fopen(source, "r");
    char *line = NULL;
    size_t capacity = 0;
    bool takes = false;
    while (in && !takes && getline(&line, &capacity, in) >= 0)
        takes = strcasestr(line, "incbin") || strstr(line, ".include"); /* INCBIN() of a header, too */
    free(line);
    if (in) fclose(in);
    return takes;
}

void assembly_add_folders(const struct run *run, struct words *words)
{
    static const char *const options[] = {"-I", "-iquote", "-isystem",
                                          "--include-directory=", "--include-directory"};
    const char *const *argument = run->compile->arguments;
    size_t n = run->compile->n_arguments;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < sizeof options / sizeof *options; j++) {
            if (run->arguments.kind[i] != ARGUMENT_FRONT || !word_begins(argument[i], options[j])) continue;
            const char *rest = argument[i] + strlen(options[j]);
            const char *folder = *rest ? rest : i + 1 < n ? argument[++i] : ".";
            for (size_t k = 0; k < 2; k++) {
                words_add(words, "-Xassembler");
                words_add(words, k ? folder : "-I");
            }
            break;
        }
    }
}
