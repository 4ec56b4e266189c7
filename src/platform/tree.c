#include "platform/tree.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct builder {
    yaml_parser_t parser;
    const char *text;
    size_t length;
    const char *source;
    parcast_error *error;
};

/* Newlines before an offset: libyaml's reader knows the offset of a bad byte only. */
static int line_of_offset(const struct builder *b, size_t offset)
{
    int line = 1;
    for (size_t i = 0; i < b->length && i < offset; i++) line += b->text[i] == '\n';
    return line;
}

static parcast_status syntax_error(struct builder *b)
{
    const yaml_parser_t *p = &b->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return parcast_error_set(b->error, PARCAST_MEMORY, b->source, 0, "out of memory");
    const char *problem = p->problem ? p->problem : "cannot be read";
    if (p->error == YAML_READER_ERROR)
        return parcast_error_set(b->error, PARCAST_FORMAT, b->source, line_of_offset(b, p->problem_offset),
                                 "not UTF-8 text: %s", problem);
    int line = (int)p->problem_mark.line + 1;
    if (p->context)
        return parcast_error_set(b->error, PARCAST_FORMAT, b->source, line, "not YAML: %s %s", p->context,
                                 problem);
    return parcast_error_set(b->error, PARCAST_FORMAT, b->source, line, "not YAML: %s", problem);
}

static parcast_status next_event(struct builder *b, yaml_event_t *event)
{
    if (!yaml_parser_parse(&b->parser, event)) return syntax_error(b);
    return PARCAST_OK;
}

static int line_of(const yaml_event_t *event)
{
    return (int)event->start_mark.line + 1;
}

static parcast_status refuse_anchor(struct builder *b, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL;
    if (event->type == YAML_ALIAS_EVENT) anchor = event->data.alias.anchor;
    if (event->type == YAML_SCALAR_EVENT) anchor = event->data.scalar.anchor;
    if (event->type == YAML_SEQUENCE_START_EVENT) anchor = event->data.sequence_start.anchor;
    if (event->type == YAML_MAPPING_START_EVENT) anchor = event->data.mapping_start.anchor;
    if (!anchor) return PARCAST_OK;
    parcast_error_set(b->error, PARCAST_FORMAT, b->source, line_of(event),
                      "anchor or alias '%.40s' is not taken here", (const char *)anchor);
    parcast_error_hint(b->error, "write the value out where it is used; quote text that begins with * or &");
    return PARCAST_FORMAT;
}

static parcast_status copy_scalar(struct builder *b, const yaml_event_t *event, char **text)
{
    const char *value = (const char *)event->data.scalar.value;
    if (strlen(value) != event->data.scalar.length)
        return parcast_error_set(b->error, PARCAST_FORMAT, b->source, line_of(event),
                                 "text contains a zero byte");
    *text = strdup(value);
    if (!*text) return parcast_error_set(b->error, PARCAST_MEMORY, b->source, 0, "out of memory");
    return PARCAST_OK;
}

static void append(struct tree *parent, struct tree *child)
{
    if (parent->last)
        parent->last->next = child;
    else
        parent->child = child;
    parent->last = child;
    parent->n_children++;
}

static parcast_status read_value(struct builder *b, const yaml_event_t *first, int depth, struct tree **out);

/* The events after the start of a list or mapping, up to its end. */
static parcast_status read_children(struct builder *b, struct tree *parent, int depth)
{
    for (;;) {
        yaml_event_t event;
        char *key = NULL;
        parcast_status status = next_event(b, &event);
        if (status) return status;
        if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            return PARCAST_OK;
        }
        if (parent->kind == TREE_MAPPING) {
            status = refuse_anchor(b, &event);
            if (!status && event.type != YAML_SCALAR_EVENT)
                status = parcast_error_set(b->error, PARCAST_FORMAT, b->source, line_of(&event),
                                           "a key must be a word, not a list or a mapping");
            if (!status) status = copy_scalar(b, &event, &key);
            yaml_event_delete(&event);
            if (!status) status = next_event(b, &event);
            if (status) {
                free(key);
                return status;
            }
        }
        struct tree *child = NULL;
        status = read_value(b, &event, depth, &child);
        yaml_event_delete(&event);
        if (status || !child) {
            free(key);
            return status;
        }
        child->key = key;
        append(parent, child);
    }
}

static parcast_status read_value(struct builder *b, const yaml_event_t *first, int depth, struct tree **out)
{
    parcast_status status = refuse_anchor(b, first);
    if (status) return status;
    if (depth > TREE_MAX_DEPTH)
        return parcast_error_set(b->error, PARCAST_FORMAT, b->source, line_of(first),
                                 "nested deeper than %d levels", TREE_MAX_DEPTH);
    struct tree *node = calloc(1, sizeof *node);
    if (!node) return parcast_error_set(b->error, PARCAST_MEMORY, b->source, 0, "out of memory");
    node->line = line_of(first);
    if (first->type == YAML_SCALAR_EVENT) {
        node->kind = TREE_SCALAR;
        status = copy_scalar(b, first, &node->text);
    } else {
        node->kind = first->type == YAML_SEQUENCE_START_EVENT ? TREE_SEQUENCE : TREE_MAPPING;
        status = read_children(b, node, depth + 1);
    }
    if (status) {
        tree_destroy(node);
        return status;
    }
    *out = node;
    return PARCAST_OK;
}

/* Stream start, document start, value, document end, stream end. */
static parcast_status read_document(struct builder *b, struct tree **out)
{
    struct tree *root = NULL;
    for (;;) {
        yaml_event_t event;
        parcast_status status = next_event(b, &event);
        if (status) {
            tree_destroy(root);
            return status;
        }
        bool end = event.type == YAML_STREAM_END_EVENT;
        bool value = event.type == YAML_SCALAR_EVENT || event.type == YAML_SEQUENCE_START_EVENT ||
                     event.type == YAML_MAPPING_START_EVENT || event.type == YAML_ALIAS_EVENT;
        if (root && (value || event.type == YAML_DOCUMENT_START_EVENT))
            status = parcast_error_set(b->error, PARCAST_FORMAT, b->source, line_of(&event),
                                       "a second document begins; one is expected");
        else if (value)
            status = read_value(b, &event, 0, &root);
        yaml_event_delete(&event);
        if (status) {
            tree_destroy(root);
            return status;
        }
        if (end) break;
    }
    if (!root) return parcast_error_set(b->error, PARCAST_FORMAT, b->source, 0, "the file is empty");
    *out = root;
    return PARCAST_OK;
}

parcast_status tree_parse(const char *text, size_t length, const char *source, struct tree **tree,
                          parcast_error *error)
{
    if (length > TREE_MAX_BYTES)
        return parcast_error_set(error, PARCAST_FORMAT, source, 0,
                                 "larger than %d bytes: this is no platform file", TREE_MAX_BYTES);
    struct builder b = {.text = text, .length = length, .source = source, .error = error};
    if (!yaml_parser_initialize(&b.parser))
        return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory");
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)text, length);
    parcast_status status = read_document(&b, tree);
    yaml_parser_delete(&b.parser);
    return status;
}

void tree_destroy(struct tree *tree)
{
    if (!tree) return;
    for (struct tree *child = tree->child; child;) {
        struct tree *next = child->next;
        tree_destroy(child);
        child = next;
    }
    free(tree->key);
    free(tree->text);
    free(tree);
}

const struct tree *tree_find(const struct tree *mapping, const char *key)
{
    if (!mapping || mapping->kind != TREE_MAPPING) return NULL;
    for (const struct tree *child = mapping->child; child; child = child->next)
        if (strcmp(child->key, key) == 0) return child;
    return NULL;
}

const char *tree_kind_name(const struct tree *tree)
{
    if (tree->kind == TREE_SEQUENCE) return "a list";
    return tree->kind == TREE_MAPPING ? "a mapping" : "a single value";
}
