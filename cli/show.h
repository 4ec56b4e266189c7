/** The parts of `parcast show`. Those that print return 0, or the exit status after an error message. */
#ifndef PARCAST_CLI_SHOW_H
#define PARCAST_CLI_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli.h"
#include "parcast/study.h"
#include "table.h"

/** All runs, a table for every problem (show_list.c). */
int show_list(const struct cli_common *common, const char *path, const parcast_run_list *list);
/** True for the first run of its problem. */
bool show_is_first(const parcast_run_list *list, size_t at);

/** One run with everything that was recorded (show_run.c), and the tables in it. */
int show_run(const struct cli_common *common, const char *path, const parcast_run *run);
int show_calls(const struct cli_common *common, const parcast_run *run);
int show_sizes(const struct cli_common *common, const parcast_run *run);
int show_collectives(const struct cli_common *common, const parcast_run *run);
int show_sites(const struct cli_common *common, const parcast_run *run);
int show_matrix(const struct cli_common *common, const parcast_run *run);

/** Text on stdout (show_put.c): control characters of foreign names never reach the terminal. */
void show_plain(const char *text);
/** Program and arguments as a shell would have to be given them, and the end of the line. */
void show_command(const parcast_run *run);
/** Every line of a text [NULL: none] behind a lead. */
void show_lines(const char *text, const char *lead);
void show_heading(const char *text);

/** Cells: the sizes of a bin, a share ("-" where it is not known), a count (0 is unknown), bytes. */
void show_bin(struct cli_table *table, int bin);
void show_percent(struct cli_table *table, double part_s, double whole_s);
void show_count(struct cli_table *table, int count);
void show_size(struct cli_table *table, uint64_t bytes);

#endif
