#ifndef PARCAST_CLI_KEPT_MEMORY_H
#define PARCAST_CLI_KEPT_MEMORY_H

/**
 * Begin this program again with memory that is kept when it is freed: what makes and drops tables of hundreds
 * of megabytes spends a quarter of its time on pages otherwise. It comes in large pages where these do not
 * take long to come, as in a virtual machine that its host gives memory page by page: that is tried. The C
 * library takes such wishes only from the environment of a program that begins, as GLIBC_TUNABLES; what it
 * starts sees the variable as it was. Does nothing where that cannot be, or when it has begun so.
 */
void kept_memory_begin(char **argv);

/**
 * From here on another processor has pages of the heap made as it grows, if this program began again: tables
 * of hundreds of megabytes are waited for half as long. Does nothing on one processor or where little memory
 * is free; processes that are forked go without.
 */
void kept_memory_ahead(void);

#endif
