// AES-256-GCM (NIST SP 800-38D). The cipher is fetched once, and each thread keeps two contexts, one to seal and one to open, with the key that
// it used last: to make one anew costs as much as to seal a kilobyte.
#include "COpenSSL.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define KEY 32
#define TAG 16

struct state {
    EVP_CIPHER_CTX *context;
    uint8_t key[KEY];
};

static pthread_key_t states_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static EVP_CIPHER *cipher;

static void free_states(void *value) {
    struct state *states = value;
    EVP_CIPHER_CTX_free(states[0].context);
    EVP_CIPHER_CTX_free(states[1].context);
    OPENSSL_clear_free(states, 2 * sizeof *states);
}

static void fetch(void) {
    if (pthread_key_create(&states_key, free_states) == 0) cipher = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
}

static struct state *own_state(int encrypting) {
    pthread_once(&once, fetch);
    if (cipher == NULL) return NULL;
    struct state *states = pthread_getspecific(states_key);
    if (states == NULL) {
        states = OPENSSL_zalloc(2 * sizeof *states);
        if (states == NULL || pthread_setspecific(states_key, states) != 0) {
            OPENSSL_free(states);
            return NULL;
        }
    }
    return &states[encrypting];
}

// A context that has taken key, nonce and what is only authenticated; it stays the thread's.
static EVP_CIPHER_CTX *begin(
    const uint8_t *key, const uint8_t *nonce, const void *context, size_t context_count, size_t count, int encrypting) {
    int written;
    if (count > INT_MAX || context_count > INT_MAX) return NULL;
    struct state *state = own_state(encrypting);
    if (state == NULL) return NULL;
    if (state->context == NULL || memcmp(state->key, key, KEY) != 0) {
        EVP_CIPHER_CTX_free(state->context);
        state->context = EVP_CIPHER_CTX_new();
        if (state->context != NULL && EVP_CipherInit_ex2(state->context, cipher, key, NULL, encrypting, NULL) != 1) {
            EVP_CIPHER_CTX_free(state->context);
            state->context = NULL;
        }
        if (state->context == NULL) return NULL;
        memcpy(state->key, key, KEY);
    }
    if (EVP_CipherInit_ex2(state->context, NULL, NULL, nonce, encrypting, NULL) == 1
        && (context_count == 0 || EVP_CipherUpdate(state->context, NULL, &written, context, (int)context_count) == 1)) {
        return state->context;
    }
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
    if (!sealed) ERR_clear_error();
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
    if (!opened && plaintext != NULL) OPENSSL_cleanse(plaintext, count);
    if (!opened) ERR_clear_error();
    return opened;
}
