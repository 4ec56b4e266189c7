#include "compiler/instrument/unit/source_line.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

static bool read_line(LLVMMetadataRef scope, unsigned number, char *line, size_t size)
{
    unsigned n_folder, n_file;
    LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
    const char *folder = LLVMDIFileGetDirectory(file, &n_folder),
               *name = LLVMDIFileGetFilename(file, &n_file);
    char path[4096];
    bool absolute = n_file && name[0] == '/';
    snprintf(path, sizeof path, "%.*s%s%.*s", absolute ? 0 : (int)n_folder, folder ? folder : "",
             absolute || !n_folder ? "" : "/", (int)n_file, name ? name : "");
    FILE *in = fopen(path, "r");
    bool found = false;
    for (unsigned i = 1; in && !found && fgets(line, (int)size, in); i++) found = i == number;
    if (in) fclose(in);
    return found;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

/* Where a word of that many letters is next; NULL. */
static const char *next_word(const char *line, const char *word, size_t length)
{
    for (const char *p = line; (p = strstr(p, word)); p++) {
        bool begins_here = p == line || !strchr(letters, p[-1]);
        if (begins_here && (!p[length] || !strchr(letters, p[length]))) return p;
    }
    return NULL;
}

bool source_line_drop_number(LLVMMetadataRef scope, unsigned number, char *name)
{
    char line[1024];
    size_t length = strlen(name), kept = length;
    while (kept && name[kept - 1] >= '0' && name[kept - 1] <= '9') kept--;
    if (!kept || kept == length) return kept > 0;
    if (!read_line(scope, number, line, sizeof line)) return false;
    if (next_word(line, name, length)) return true;
    char base[64];
    if (snprintf(base, sizeof base, "%.*s", (int)kept, name) >= (int)sizeof base) return false;
    if (!next_word(line, base, kept)) return false;
    name[kept] = '\0';
    return true;
}

/* A member of which a line may speak several times; `n` is the letters of its name. */
struct member {
    const char *name;
    size_t n;
    bool are_several;
};

static void add(struct member *member, const char *name, size_t n)
{
    bool is_same = member->name && n == member->n && strncmp(member->name, name, n) == 0;
    member->are_several |= member->name && !is_same;
    member->name = name;
    member->n = n;
}

/* `mesh.x = `, not `mesh.x == `. */
static bool is_assigned(const char *behind)
{
    behind += strspn(behind, " \t");
    return behind[0] == '=' && behind[1] != '=';
}

bool source_line_member(LLVMMetadataRef scope, unsigned number, const char *variable, char *member,
                        size_t size)
{
    char line[1024];
    size_t length = strlen(variable);
    struct member any = {NULL, 0, false}, target = {NULL, 0, false};
    if (!read_line(scope, number, line, sizeof line)) return false;
    for (const char *p = line; (p = next_word(p, variable, length)); p++) {
        const char *own = p + length + strspn(p + length, " \t");
        if (*own++ != '.') continue;
        own += strspn(own, " \t");
        size_t n = strspn(own, letters);
        if (n) add(&any, own, n);
        if (n && is_assigned(own + n)) add(&target, own, n);
    }
    const struct member *found = target.name && !target.are_several ? &target : &any;
    if (!found->name || found->are_several) return false;
    return snprintf(member, size, "%.*s", (int)found->n, found->name) < (int)size;
}

/* Behind what brackets hold that begin here. */
static const char *behind_brackets(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        depth += strchr("([{", *p) ? 1 : strchr(")]}", *p) ? -1 : 0;
        if (!depth) return p + 1;
    }
    return p;
}

bool source_line_array(LLVMMetadataRef scope, unsigned number, unsigned column, unsigned which, char *name,
                       size_t size)
{
    char line[1024];
    if (!read_line(scope, number, line, sizeof line) || !column || column > strlen(line)) return false;
    const char *word = NULL;
    size_t length = 0;
    for (const char *p = line + column - 1; *p && *p != ';';) {
        size_t n = strspn(p, letters);
        if (*p == '[' && word && !which--) return snprintf(name, size, "%.*s", (int)length, word) < (int)size;
        if (n)
            word = p, length = n;
        else if (!strchr(" \t", *p))
            word = NULL;
        p = n ? p + n : strchr("([{", *p) ? behind_brackets(p) : p + 1;
    }
    return false;
}
