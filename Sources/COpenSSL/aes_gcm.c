// AES-256-GCM (NIST SP 800-38D). The cipher is fetched once; a context for each call costs a quarter of a microsecond.
#include "COpenSSL.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#define TAG 16

static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static EVP_CIPHER *cipher;

static void fetch(void) { cipher = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL); }

static EVP_CIPHER_CTX *begin(
    const uint8_t *key, const uint8_t *nonce, const void *context, size_t context_count, size_t count, int encrypting) {
    int written;
    if (count > INT_MAX || context_count > INT_MAX || !CRYPTO_THREAD_run_once(&once, fetch) || cipher == NULL) return NULL;
    EVP_CIPHER_CTX *state = EVP_CIPHER_CTX_new();
    if (state != NULL && EVP_CipherInit_ex2(state, cipher, key, nonce, encrypting, NULL) == 1
        && (context_count == 0 || EVP_CipherUpdate(state, NULL, &written, context, (int)context_count) == 1)) {
        return state;
    }
    EVP_CIPHER_CTX_free(state);
    return NULL;
}

int copenssl_aes256gcm_seal(
    const uint8_t *key, const uint8_t *nonce, const void *context, size_t context_count, const void *plaintext, size_t count,
    uint8_t *ciphertext, uint8_t *tag) {
    int written;
    uint8_t rest[TAG];
    EVP_CIPHER_CTX *state = begin(key, nonce, context, context_count, count, 1);
    int sealed = state != NULL && (count == 0 || EVP_CipherUpdate(state, ciphertext, &written, plaintext, (int)count) == 1)
        && EVP_CipherFinal_ex(state, rest, &written) == 1 && EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_GET_TAG, TAG, tag) == 1;
    EVP_CIPHER_CTX_free(state);
    ERR_clear_error();
    return sealed;
}

int copenssl_aes256gcm_open(
    const uint8_t *key, const uint8_t *nonce, const void *context, size_t context_count, const void *ciphertext, size_t count,
    const uint8_t *tag, uint8_t *plaintext) {
    int written;
    uint8_t rest[TAG];
    EVP_CIPHER_CTX *state = begin(key, nonce, context, context_count, count, 0);
    // The parameter is not const because other controls write through it; this one only reads the tag.
    int opened = state != NULL && (count == 0 || EVP_CipherUpdate(state, plaintext, &written, ciphertext, (int)count) == 1)
        && EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_SET_TAG, TAG, (void *)tag) == 1
        && EVP_CipherFinal_ex(state, rest, &written) == 1;
    EVP_CIPHER_CTX_free(state);
    if (!opened && plaintext != NULL) OPENSSL_cleanse(plaintext, count);
    ERR_clear_error();
    return opened;
}
