/**
 * A YAML document as a tree in which every value knows its line. Only what a parcast file needs: one
 * document, no anchors or aliases, shallow nesting, limited size.
 */
#ifndef PARCAST_PLATFORM_TREE_H
#define PARCAST_PLATFORM_TREE_H

#include <stddef.h>

#include "parcast/error.h"

enum { TREE_MAX_BYTES = 1 << 20, TREE_MAX_DEPTH = 16 };

enum tree_kind { TREE_SCALAR, TREE_SEQUENCE, TREE_MAPPING };

struct tree {
    enum tree_kind kind;
    int line;
    char *key;  /**< in a mapping: the name of this value; NULL otherwise */
    char *text; /**< of a scalar; NULL otherwise */
    size_t n_children;
    struct tree *child, *last, *next; /**< children in the order of the file */
};

/**
 * @param[out] tree set on success; release with tree_destroy
 * @return PARCAST_OK, PARCAST_FORMAT with line, PARCAST_MEMORY
 */
parcast_status tree_parse(const char *text, size_t length, const char *source, struct tree **tree,
                          parcast_error *error);
void tree_destroy(struct tree *tree);

/** The value of a key, or NULL. */
const struct tree *tree_find(const struct tree *mapping, const char *key);

/** "a word", "a list" or "a mapping", for messages. */
const char *tree_kind_name(const struct tree *tree);

#endif
