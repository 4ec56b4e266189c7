#include "platform/read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "platform/simgrid.h"

static parcast_status check_schema(const struct reader *reader, const struct tree *root)
{
    const struct tree *schema = tree_find(root, "schema");
    if (!schema) {
        reader_fail(reader, root, PARCAST_FORMAT, "key 'schema' is missing: this is no platform file");
        parcast_error_hint(reader->error, "a platform file begins with 'schema: " PLATFORM_SCHEMA "'");
        return PARCAST_FORMAT;
    }
    if (schema->kind == TREE_SCALAR && strcmp(schema->text, PLATFORM_SCHEMA) == 0) return PARCAST_OK;
    reader_fail(reader, schema, PARCAST_FORMAT, "key 'schema': '%.80s' is not '" PLATFORM_SCHEMA "'",
                schema->kind == TREE_SCALAR ? schema->text : tree_kind_name(schema));
    if (schema->kind == TREE_SCALAR && strncmp(schema->text, "parcast.platform/", 17) == 0)
        parcast_error_hint(reader->error, "the file was written for another version of parcast");
    return PARCAST_FORMAT;
}

static parcast_status read_node_type(const struct reader *reader, const struct tree *mapping,
                                     parcast_platform *platform)
{
    parcast_node_type *type = &platform->types[platform->n_types];
    node_type_defaults(type);
    platform->n_types++; /* from here on the platform owns what is in it */
    parcast_status status = read_fields(reader, mapping, "nodes", &node_keys, type);
    if (status) return status;
    type->speed_given = tree_find(mapping, "speed") != NULL;
    for (size_t i = 0; i + 1 < platform->n_types; i++)
        if (strcmp(platform->types[i].name, type->name) == 0)
            return reader_fail(reader, tree_find(mapping, "type"), PARCAST_DATA,
                               "key 'type': '%.80s' is the name of an earlier node type too", type->name);
    return check_node_type(reader, mapping, type);
}

static parcast_status read_nodes(const struct reader *reader, const struct tree *nodes,
                                 parcast_platform *platform)
{
    enum { MAX_TYPES = 1000 };
    if (nodes->kind != TREE_SEQUENCE)
        return reader_fail(reader, nodes, PARCAST_FORMAT, "key 'nodes' takes a list of node types, not %s",
                           tree_kind_name(nodes));
    if (nodes->n_children == 0 || nodes->n_children > MAX_TYPES)
        return reader_fail(reader, nodes, PARCAST_DATA, "key 'nodes' has %zu node types; 1 to %d are taken",
                           nodes->n_children, MAX_TYPES);
    platform->types = calloc(nodes->n_children, sizeof *platform->types);
    if (!platform->types) return reader_out_of_memory(reader);
    parcast_status status = PARCAST_OK;
    for (const struct tree *item = nodes->child; item && !status; item = item->next)
        status = read_node_type(reader, item, platform);
    return status;
}

static parcast_status read_network(const struct reader *reader, const struct tree *network,
                                   parcast_platform *platform)
{
    parcast_network_description *n = &platform->network;
    parcast_status status = read_fields(reader, network, "network", &network_keys, n);
    if (status) return status;
    for (int i = 0; i < n->n_levels; i++)
        if (n->parallel[i] == 0) n->parallel[i] = 1;
    const struct tree *loggops = tree_find(network, "loggops");
    if (loggops) {
        status = read_fields(reader, loggops, "loggops", &loggops_keys, n);
        n->loggops.given = true;
    }
    return status;
}

/* What a file leaves out but users of the struct need. */
static parcast_status complete(const struct reader *reader, parcast_platform *platform)
{
    if (!platform->currency) platform->currency = strdup("USD");
    if (!platform->name) { /* clusters/old.yaml is "old" */
        const char *slash = strrchr(reader->source, '/');
        const char *stem = slash ? slash + 1 : reader->source;
        size_t length = strcspn(stem, ".");
        platform->name = length ? strndup(stem, length) : strdup("platform");
    }
    if (!platform->currency || !platform->name) return reader_out_of_memory(reader);
    parcast_network_description *n = &platform->network;
    if (!isnan(n->link_latency_s))
        n->latency_s = n->link_latency_s * parcast_platform_neighbour_links(platform);
    return PARCAST_OK;
}

static parcast_status read_platform(const struct reader *reader, const struct tree *root,
                                    parcast_platform *platform)
{
    if (root->kind != TREE_MAPPING)
        return reader_fail(reader, root, PARCAST_FORMAT, "this is no platform file: it holds %s",
                           tree_kind_name(root));
    parcast_status status = check_schema(reader, root);
    if (!status) status = read_fields(reader, root, "the platform", &platform_keys, platform);
    const struct tree *network = tree_find(root, "network"), *shared = tree_find(root, "shared_memory");
    if (!status) status = read_nodes(reader, tree_find(root, "nodes"), platform);
    if (!status && network) status = read_network(reader, network, platform);
    if (!status && shared)
        status = read_fields(reader, shared, "shared_memory", &shared_memory_keys, &platform->shared_memory);
    if (!status) status = check_platform(reader, root, platform);
    if (!status) status = complete(reader, platform);
    return status;
}

static parcast_status parse_yaml(const char *text, size_t length, const char *source,
                                 parcast_platform **platform, parcast_error *error)
{
    const struct reader reader = {.source = source, .error = error};
    struct tree *root;
    parcast_status status = tree_parse(text, length, reader.source, &root, error);
    if (status) return status;
    parcast_platform *result = malloc(sizeof *result);
    if (!result) {
        tree_destroy(root);
        return reader_out_of_memory(&reader);
    }
    platform_defaults(result);
    status = read_platform(&reader, root, result);
    tree_destroy(root);
    if (status)
        parcast_platform_destroy(&result);
    else
        *platform = result;
    return status;
}

/* SimGrid's platforms are read as the text of ours that says the same. */
static parcast_status parse_xml(const char *text, size_t length, const char *source,
                                parcast_platform **platform, parcast_error *error)
{
    char *yaml = NULL;
    if (length > TREE_MAX_BYTES)
        return parcast_error_set(error, PARCAST_LIMIT, source, 0, "more than %d bytes", TREE_MAX_BYTES);
    parcast_status status = simgrid_to_yaml(text, length, source, &yaml, error);
    if (status) return status;
    status = parse_yaml(yaml, strlen(yaml), source, platform, error);
    if (status && error) error->line = 0; /* of a text that nobody has seen */
    if (!status) (*platform)->network.collectives_assumed = true;
    free(yaml);
    return status;
}

parcast_status parcast_platform_parse(const char *text, size_t length, const char *source,
                                      parcast_platform **platform, parcast_error *error)
{
    const char *name = source ? source : "platform";
    return simgrid_is_xml(text, length) ? parse_xml(text, length, name, platform, error)
                                        : parse_yaml(text, length, name, platform, error);
}

/* Everything up to one byte more than a platform file may have. */
static parcast_status read_all(FILE *file, const char *source, char **text, size_t *length,
                               parcast_error *error)
{
    char *buffer = malloc(TREE_MAX_BYTES + 1);
    if (!buffer) return parcast_error_set(error, PARCAST_MEMORY, source, 0, "out of memory");
    size_t n = fread(buffer, 1, TREE_MAX_BYTES + 1, file);
    if (ferror(file)) {
        free(buffer);
        return parcast_error_set(error, PARCAST_IO, source, 0, "cannot read '%s': %s", source,
                                 strerror(errno));
    }
    *text = buffer;
    *length = n;
    return PARCAST_OK;
}

/* A directory can be opened, but not read. */
static FILE *open_file(const char *path, parcast_error *error)
{
    struct stat info;
    FILE *file = fopen(path, "rbe");
    if (!file) {
        parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot open '%s': %s", path, strerror(errno));
        return NULL;
    }
    if (fstat(fileno(file), &info) == 0 && S_ISDIR(info.st_mode)) {
        (void)fclose(file);
        parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot read '%s': it is a directory", path);
        return NULL;
    }
    return file;
}

static parcast_status parse_stream(FILE *file, const char *source, parcast_platform **platform,
                                   parcast_error *error)
{
    char *text = NULL;
    size_t length = 0;
    parcast_status status = read_all(file, source, &text, &length, error);
    if (status) return status;
    status = parcast_platform_parse(text, length, source, platform, error);
    free(text);
    return status;
}

parcast_status parcast_platform_load(const char *path, parcast_platform **platform, parcast_error *error)
{
    if (strcmp(path, "-") == 0) return parse_stream(stdin, "standard input", platform, error);
    FILE *file = open_file(path, error);
    if (!file) return PARCAST_IO;
    parcast_status status = parse_stream(file, path, platform, error);
    (void)fclose(file);
    return status;
}
