// Elliptic-curve Diffie-Hellman (NIST SP 800-56A section 5.7.1.2) and AES Key Wrap (RFC 3394), with which JOSE protects keys.
#include "COpenSSL.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

int copenssl_ecdh(const copenssl_key *own, const copenssl_key *other, uint8_t *secret, size_t count) {
    size_t written = count;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, (EVP_PKEY *)own, NULL);
    // The peer is checked: a key of another curve is refused.
    int done = context != NULL && EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, (EVP_PKEY *)other) == 1
        && EVP_PKEY_derive(context, secret, &written) == 1 && written == count;
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return done;
}

static const EVP_CIPHER *wrapping(size_t key_count) {
    switch (key_count) {
    case 16: return EVP_aes_128_wrap();
    case 24: return EVP_aes_192_wrap();
    case 32: return EVP_aes_256_wrap();
    default: return NULL;
    }
}

// The length of the output is 8 more than that of the input when wrapping, and 8 less when unwrapping.
static int convert(
    const uint8_t *key, size_t key_count, int wraps, const uint8_t *input, size_t count, uint8_t *output, size_t expected) {
    int written = 0, rest = 0;
    const EVP_CIPHER *cipher = wrapping(key_count);
    EVP_CIPHER_CTX *state = EVP_CIPHER_CTX_new();
    if (state != NULL) EVP_CIPHER_CTX_set_flags(state, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    int done = cipher != NULL && state != NULL && count <= INT_MAX && EVP_CipherInit_ex2(state, cipher, key, NULL, wraps, NULL) == 1
        && EVP_CipherUpdate(state, output, &written, input, (int)count) == 1
        && EVP_CipherFinal_ex(state, output + written, &rest) == 1 && (size_t)(written + rest) == expected;
    EVP_CIPHER_CTX_free(state);
    ERR_clear_error();
    return done;
}

int copenssl_aeskw_wrap(const uint8_t *key, size_t key_count, const uint8_t *input, size_t count, uint8_t *output) {
    return count >= 16 && count % 8 == 0 && convert(key, key_count, 1, input, count, output, count + 8);
}

int copenssl_aeskw_unwrap(const uint8_t *key, size_t key_count, const uint8_t *input, size_t count, uint8_t *output) {
    return count >= 24 && count % 8 == 0 && convert(key, key_count, 0, input, count, output, count - 8);
}
