// Ed25519 (RFC 8032 section 5.1).
#include "COpenSSL.h"

#include <openssl/err.h>
#include <openssl/evp.h>

#define PUBLIC_KEY 32
#define SIGNATURE 64

copenssl_key *copenssl_ed25519_generate(void) {
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    ERR_clear_error();
    return (copenssl_key *)key;
}

copenssl_key *copenssl_ed25519_public(const uint8_t *bytes, size_t count) {
    EVP_PKEY *key = count == PUBLIC_KEY ? EVP_PKEY_new_raw_public_key_ex(NULL, "ED25519", NULL, bytes, count) : NULL;
    ERR_clear_error();
    return (copenssl_key *)key;
}

int copenssl_is_ed25519(const copenssl_key *key) { return EVP_PKEY_is_a((const EVP_PKEY *)key, "ED25519"); }

int copenssl_ed25519_bytes(const copenssl_key *key, uint8_t *bytes) {
    size_t count = PUBLIC_KEY;
    int done = EVP_PKEY_get_raw_public_key((const EVP_PKEY *)key, bytes, &count) == 1 && count == PUBLIC_KEY;
    ERR_clear_error();
    return done;
}

int copenssl_ed25519_sign(const copenssl_key *key, const void *message, size_t count, uint8_t *signature) {
    size_t written = SIGNATURE;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int done = context != NULL && EVP_DigestSignInit_ex(context, NULL, NULL, NULL, NULL, (EVP_PKEY *)key, NULL) == 1
        && EVP_DigestSign(context, signature, &written, message, count) == 1 && written == SIGNATURE;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return done;
}

int copenssl_ed25519_verify(
    const copenssl_key *key, const void *message, size_t count, const uint8_t *signature, size_t signature_count) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int verified = context != NULL && signature_count == SIGNATURE
        && EVP_DigestVerifyInit_ex(context, NULL, NULL, NULL, NULL, (EVP_PKEY *)key, NULL) == 1
        && EVP_DigestVerify(context, signature, signature_count, message, count) == 1;
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return verified;
}
