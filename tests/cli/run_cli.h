/* Starting parcast as its users do, in a folder of the test's own. */
#ifndef RUN_CLI_H
#define RUN_CLI_H

struct outcome {
    int status;
    char *out, *err; /* what it printed; outcome_clear() frees them */
};

/* A new empty folder for the test; removed by cli_folder_remove. Both are cmocka group fixtures. */
int cli_folder_create(void **state);
int cli_folder_remove(void **state);
const char *cli_folder(void);

/* Runs `parcast ARGUMENTS` (as for printf, read by a shell) inside the folder. */
struct outcome run_cli(const char *arguments, ...) __attribute__((format(printf, 1, 2)));
void outcome_clear(struct outcome *outcome);

#endif
