/**
 * The entry point that libFuzzer and the corpus replay share. A target reads the bytes as its reader would
 * and checks what must hold for any input; what must not happen is found by the sanitizers or by abort().
 */
#ifndef PARCAST_TESTS_FUZZ_H
#define PARCAST_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
