#ifndef PARCAST_VALUEFLOW_DUMP_H
#define PARCAST_VALUEFLOW_DUMP_H

/** Write what was traced to a file (docs/formats/values.md). Says on stderr when it cannot. */
void vf_dump(const char *path);

#endif
