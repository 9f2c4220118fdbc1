#include "COpenSSL.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/rand.h>

int copenssl_equal(const void *a, const void *b, size_t count) { return CRYPTO_memcmp(a, b, count) == 0; }

int copenssl_random(uint8_t *bytes, size_t count) {
    if (count > INT_MAX || RAND_bytes(bytes, (int)count) != 1) {
        ERR_clear_error();
        return 0;
    }
    return 1;
}
