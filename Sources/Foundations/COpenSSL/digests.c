// The direct digest functions: their state is a plain value, and a short text costs them a sixth of what EVP takes
// (0.05 us against 0.29 us for 32 bytes).
#define OPENSSL_SUPPRESS_DEPRECATED
#include "COpenSSL.h"

#include <assert.h>
#include <openssl/md5.h>
#include <openssl/sha.h>
#include <string.h>

#define DIGEST(name, prefix, context, state_type)                                                  \
    static_assert(sizeof(context) <= sizeof(state_type), #name " state is too small");             \
    static_assert(_Alignof(context) <= _Alignof(state_type), #name " state is misaligned");        \
    state_type copenssl_##name##_init(void) {                                                      \
        state_type state;                                                                          \
        memset(&state, 0, sizeof state);                                                           \
        prefix##_Init((context *)&state);                                                          \
        return state;                                                                              \
    }                                                                                              \
    void copenssl_##name##_update(state_type *state, const void *bytes, size_t count) {            \
        prefix##_Update((context *)state, bytes, count);                                           \
    }                                                                                              \
    void copenssl_##name##_final(const state_type *state, uint8_t *digest) {                       \
        context copy;                                                                              \
        memcpy(&copy, state, sizeof copy);                                                         \
        prefix##_Final(digest, &copy);                                                             \
    }

DIGEST(md5, MD5, MD5_CTX, copenssl_md5_state)
DIGEST(sha1, SHA1, SHA_CTX, copenssl_sha1_state)
DIGEST(sha256, SHA256, SHA256_CTX, copenssl_sha256_state)
DIGEST(sha384, SHA384, SHA512_CTX, copenssl_sha512_state)
DIGEST(sha512, SHA512, SHA512_CTX, copenssl_sha512_state)
