/**
 * The tables of a study that mirror a C structure (docs/formats/study.md).
 */
#ifndef PARCAST_STUDY_TABLES_H
#define PARCAST_STUDY_TABLES_H

#include "study/columns.h"

enum { STUDY_N_ARRAYS = 7 };

extern const study_table study_run_table;                    /* parcast_run */
extern const study_table study_node_table;                   /* parcast_run_node, by run */
extern const study_table study_rank_table;                   /* the scalars of parcast_rank_profile, by run */
extern const study_table study_array_tables[STUDY_N_ARRAYS]; /* its arrays, by run and profile */

#endif
