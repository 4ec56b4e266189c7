#ifndef PARCAST_CLI_LARGE_PAGES_H
#define PARCAST_CLI_LARGE_PAGES_H

/**
 * Begin this program again with memory from large pages that is kept when it is freed: what makes and drops
 * tables of hundreds of megabytes spends a quarter of its time on pages otherwise. The C library takes such
 * wishes only from the environment of a program that begins, as GLIBC_TUNABLES; what it starts sees the
 * variable as it was. Does nothing where that cannot be, or when it has begun so.
 */
void large_pages_begin(char **argv);

#endif
