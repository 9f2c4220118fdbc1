// What OpenSSL writes into memory.
#pragma once

#include <openssl/bio.h>
#include <stddef.h>
#include <string.h>

/// Copies what was written to `output`, and frees it.
/// Returns the number of bytes, or 0 if the writing was not `complete` or there is more than `capacity` bytes.
static inline size_t copenssl_take(BIO *output, int complete, char *text, size_t capacity) {
    size_t written = 0;
    if (output != NULL && complete) {
        char *start = NULL;
        long count = BIO_get_mem_data(output, &start);
        if (count > 0 && (size_t)count <= capacity) {
            memcpy(text, start, (size_t)count);
            written = (size_t)count;
        }
    }
    BIO_free(output);
    return written;
}
