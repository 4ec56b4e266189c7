#ifndef PARCAST_VALUEFLOW_DUMP_H
#define PARCAST_VALUEFLOW_DUMP_H

/** Write what was traced to a file (docs/formats/values.md); `partial` is why it is not all, NULL or empty
 * when it is. Ends the run with a message when it cannot. */
void vf_dump(const char *path, const char *partial);

#endif
