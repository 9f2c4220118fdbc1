#include "COpenSSL.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/rand.h>
#include <string.h>

int copenssl_equal(const void *a, const void *b, size_t count) { return CRYPTO_memcmp(a, b, count) == 0; }

// A draw from the generator costs a microsecond however little is drawn, so that nonces and ids come from what a thread has drawn before.
// What has been given away is wiped here.
static _Thread_local struct {
    uint8_t bytes[2048];
    size_t left;
} drawn;

#define SMALL 64

int copenssl_random(uint8_t *bytes, size_t count) {
    if (count == 0) return 1;
    if (count <= SMALL) {
        if (drawn.left < count) {
            drawn.left = 0;
            if (!copenssl_random(drawn.bytes, sizeof drawn.bytes)) return 0;
            drawn.left = sizeof drawn.bytes;
        }
        drawn.left -= count;
        memcpy(bytes, drawn.bytes + drawn.left, count);
        OPENSSL_cleanse(drawn.bytes + drawn.left, count);
        return 1;
    }
    if (count > INT_MAX || RAND_bytes(bytes, (int)count) != 1) {
        ERR_clear_error();
        return 0;
    }
    return 1;
}
