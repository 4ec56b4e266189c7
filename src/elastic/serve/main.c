/*
 * parcast-serve DIRECTORY: serves the pieces of checkpoints that lie in a directory of this node to ranks on
 * other nodes. `parcast run` starts one on each node. The first line of standard input is the token that
 * clients must know (it does not belong on a command line, which everybody can read); it ends when standard
 * input does.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "elastic/serve.h"

/* Byte by byte: what follows stays unread. */
static bool read_token(char token[ELASTIC_TOKEN_BYTES])
{
    for (size_t i = 0; i < ELASTIC_TOKEN_BYTES; i++) {
        if (read(STDIN_FILENO, &token[i], 1) != 1) return false;
        if (token[i] != '\n') continue;
        token[i] = '\0';
        return i == ELASTIC_TOKEN_BYTES - 1;
    }
    return false;
}

int main(int argc, char **argv)
{
    char token[ELASTIC_TOKEN_BYTES];
    parcast_error error = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: parcast-serve DIRECTORY   ('parcast run' starts it)\n");
        return 2;
    }
    if (!read_token(token)) {
        fprintf(stderr, "parcast-serve: error: no token on standard input\n");
        return 2;
    }
    if (elastic_serve(argv[1], token, STDIN_FILENO, STDOUT_FILENO, &error) == PARCAST_OK) return 0;
    fprintf(stderr, "parcast-serve: error: %s\n", error.text);
    return 1;
}
