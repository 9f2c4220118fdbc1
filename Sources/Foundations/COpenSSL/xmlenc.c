// The ciphers of XML Encryption 1.1 and of JOSE: AES-CBC and AES-GCM (section 5.2) and RSAES-OAEP (section 5.5, RFC 8017 section 7.1).
#include "COpenSSL.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#define TAG 16

static const EVP_CIPHER *cbc(size_t key_count) {
    switch (key_count) {
    case 16: return EVP_aes_128_cbc();
    case 24: return EVP_aes_192_cbc();
    case 32: return EVP_aes_256_cbc();
    default: return NULL;
    }
}

static const EVP_CIPHER *gcm(size_t key_count) {
    switch (key_count) {
    case 16: return EVP_aes_128_gcm();
    case 24: return EVP_aes_192_gcm();
    case 32: return EVP_aes_256_gcm();
    default: return NULL;
    }
}

int copenssl_aescbc(
    const uint8_t *key, size_t key_count, const uint8_t *iv, int encrypting, const void *input, size_t count, uint8_t *output) {
    int written = 0, rest = 0;
    const EVP_CIPHER *cipher = cbc(key_count);
    EVP_CIPHER_CTX *state = EVP_CIPHER_CTX_new();
    int done = cipher != NULL && state != NULL && count > 0 && count % 16 == 0 && count <= INT_MAX
        && EVP_CipherInit_ex2(state, cipher, key, iv, encrypting, NULL) == 1 && EVP_CIPHER_CTX_set_padding(state, 0) == 1
        && EVP_CipherUpdate(state, output, &written, input, (int)count) == 1
        && EVP_CipherFinal_ex(state, output + written, &rest) == 1 && (size_t)(written + rest) == count;
    EVP_CIPHER_CTX_free(state);
    ERR_clear_error();
    return done;
}

int copenssl_aesgcm_seal(
    const uint8_t *key, size_t key_count, const uint8_t *nonce, const void *context, size_t context_count, const void *plaintext,
    size_t count, uint8_t *ciphertext, uint8_t *tag) {
    int written;
    uint8_t rest[TAG];
    const EVP_CIPHER *cipher = gcm(key_count);
    EVP_CIPHER_CTX *state = EVP_CIPHER_CTX_new();
    int sealed = cipher != NULL && state != NULL && count <= INT_MAX && context_count <= INT_MAX
        && EVP_CipherInit_ex2(state, cipher, key, nonce, 1, NULL) == 1
        && (context_count == 0 || EVP_CipherUpdate(state, NULL, &written, context, (int)context_count) == 1)
        && (count == 0 || EVP_CipherUpdate(state, ciphertext, &written, plaintext, (int)count) == 1)
        && EVP_CipherFinal_ex(state, rest, &written) == 1 && EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_GET_TAG, TAG, tag) == 1;
    EVP_CIPHER_CTX_free(state);
    ERR_clear_error();
    return sealed;
}

int copenssl_aesgcm_open(
    const uint8_t *key, size_t key_count, const uint8_t *nonce, const void *context, size_t context_count, const void *ciphertext,
    size_t count, const uint8_t *tag, uint8_t *plaintext) {
    int written;
    uint8_t rest[TAG];
    const EVP_CIPHER *cipher = gcm(key_count);
    EVP_CIPHER_CTX *state = EVP_CIPHER_CTX_new();
    int opened = cipher != NULL && state != NULL && count <= INT_MAX && context_count <= INT_MAX
        && EVP_CipherInit_ex2(state, cipher, key, nonce, 0, NULL) == 1
        && (context_count == 0 || EVP_CipherUpdate(state, NULL, &written, context, (int)context_count) == 1)
        && (count == 0 || EVP_CipherUpdate(state, plaintext, &written, ciphertext, (int)count) == 1)
        // The parameter is not const because other controls write through it; this one only reads the tag.
        && EVP_CIPHER_CTX_ctrl(state, EVP_CTRL_AEAD_SET_TAG, TAG, (void *)tag) == 1
        && EVP_CipherFinal_ex(state, rest, &written) == 1;
    EVP_CIPHER_CTX_free(state);
    if (!opened && plaintext != NULL) OPENSSL_cleanse(plaintext, count);
    ERR_clear_error();
    return opened;
}

static const EVP_MD *digest_of(int hash) {
    switch (hash) {
    case COPENSSL_SHA1: return EVP_sha1();
    case COPENSSL_SHA256: return EVP_sha256();
    case COPENSSL_SHA384: return EVP_sha384();
    case COPENSSL_SHA512: return EVP_sha512();
    default: return NULL;
    }
}

static EVP_PKEY_CTX *oaep(const copenssl_key *key, int hash, int mask_hash, int (*initialize)(EVP_PKEY_CTX *)) {
    const EVP_MD *digest = digest_of(hash), *mask = digest_of(mask_hash);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, (EVP_PKEY *)key, NULL);
    if (context != NULL && digest != NULL && mask != NULL && initialize(context) == 1
        && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_oaep_md(context, digest) == 1 && EVP_PKEY_CTX_set_rsa_mgf1_md(context, mask) == 1) {
        return context;
    }
    EVP_PKEY_CTX_free(context);
    return NULL;
}

size_t copenssl_rsa_oaep_encrypt(
    const copenssl_key *key, int hash, int mask_hash, const uint8_t *message, size_t count, uint8_t *output, size_t capacity) {
    size_t written = capacity;
    EVP_PKEY_CTX *context = oaep(key, hash, mask_hash, EVP_PKEY_encrypt_init);
    if (context == NULL || EVP_PKEY_encrypt(context, output, &written, message, count) != 1) written = 0;
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return written;
}

size_t copenssl_rsa_oaep_decrypt(
    const copenssl_key *key, int hash, int mask_hash, const uint8_t *message, size_t count, uint8_t *output, size_t capacity) {
    size_t written = capacity;
    EVP_PKEY_CTX *context = oaep(key, hash, mask_hash, EVP_PKEY_decrypt_init);
    if (context == NULL || EVP_PKEY_decrypt(context, output, &written, message, count) != 1) written = 0;
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return written;
}
