/**
 * Values of JSON documents that need not exist in JSON.
 */
#ifndef PARCAST_CORE_JSON_H
#define PARCAST_CORE_JSON_H

#include <jansson.h>

/** A number; null where it is not known: JSON has neither NaN nor infinity. */
json_t *json_of_number(double value);
/** A text. Names come from files and command lines and need not be UTF-8: then every byte that is not ASCII
 * is a question mark. */
json_t *json_of_text(const char *value);

#endif
