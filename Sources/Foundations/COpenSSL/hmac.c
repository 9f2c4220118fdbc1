// HMAC (RFC 2104): with SHA-1 and SHA-256 over the direct digest functions, both of which have blocks of 64 bytes; with every digest
// of signatures through OpenSSL's own, for keys that are seldom used.
#include "COpenSSL.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

#define BLOCK 64

#define HMAC_OVER(name, size)                                                                                \
    copenssl_hmac_##name##_key copenssl_hmac_##name##_prepare(const uint8_t *key, size_t count) {            \
        uint8_t block[BLOCK] = {0};                                                                          \
        if (count > BLOCK) {                                                                                 \
            copenssl_##name##_state digest = copenssl_##name##_init();                                       \
            copenssl_##name##_update(&digest, key, count);                                                   \
            copenssl_##name##_final(&digest, block);                                                         \
        } else if (count > 0) {                                                                              \
            memcpy(block, key, count);                                                                       \
        }                                                                                                    \
        for (size_t i = 0; i < BLOCK; i++) block[i] ^= 0x36;                                                 \
        copenssl_hmac_##name##_key prepared = {copenssl_##name##_init(), copenssl_##name##_init()};          \
        copenssl_##name##_update(&prepared.inner, block, BLOCK);                                             \
        for (size_t i = 0; i < BLOCK; i++) block[i] ^= 0x36 ^ 0x5c;                                          \
        copenssl_##name##_update(&prepared.outer, block, BLOCK);                                             \
        OPENSSL_cleanse(block, BLOCK);                                                                       \
        return prepared;                                                                                     \
    }                                                                                                        \
    void copenssl_hmac_##name(                                                                               \
        const copenssl_hmac_##name##_key *key, const void *message, size_t count, uint8_t *code) {           \
        uint8_t digest[size];                                                                                \
        copenssl_##name##_state state = key->inner;                                                          \
        copenssl_##name##_update(&state, message, count);                                                    \
        copenssl_##name##_final(&state, digest);                                                             \
        state = key->outer;                                                                                  \
        copenssl_##name##_update(&state, digest, size);                                                      \
        copenssl_##name##_final(&state, code);                                                               \
    }

HMAC_OVER(sha1, 20)
HMAC_OVER(sha256, 32)

int copenssl_hmac(int hash, const uint8_t *key, size_t key_count, const void *message, size_t count, uint8_t *code) {
    const EVP_MD *digest = NULL;
    switch (hash) {
    case COPENSSL_SHA1: digest = EVP_sha1(); break;
    case COPENSSL_SHA256: digest = EVP_sha256(); break;
    case COPENSSL_SHA384: digest = EVP_sha384(); break;
    case COPENSSL_SHA512: digest = EVP_sha512(); break;
    }
    // OpenSSL takes a null key for the one before it.
    if (key_count == 0) key = (const uint8_t *)"";
    int done = digest != NULL && key_count <= INT_MAX && HMAC(digest, key, (int)key_count, message, count, code, NULL) != NULL;
    if (!done) ERR_clear_error();
    return done;
}

int copenssl_pbkdf2(
    int hash, const char *password, size_t count, const uint8_t *salt, size_t salt_count, size_t iterations, uint8_t *key,
    size_t key_count) {
    const EVP_MD *digest = NULL;
    switch (hash) {
    case COPENSSL_SHA1: digest = EVP_sha1(); break;
    case COPENSSL_SHA256: digest = EVP_sha256(); break;
    case COPENSSL_SHA384: digest = EVP_sha384(); break;
    case COPENSSL_SHA512: digest = EVP_sha512(); break;
    }
    int fits = count <= INT_MAX && salt_count <= INT_MAX && iterations <= INT_MAX && key_count <= INT_MAX;
    int done = digest != NULL && fits &&
        PKCS5_PBKDF2_HMAC(password, (int)count, salt, (int)salt_count, (int)iterations, digest, (int)key_count, key) == 1;
    if (!done) ERR_clear_error();
    return done;
}
