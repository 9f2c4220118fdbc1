// What all asymmetric keys share: their lifetime and their PEM form.
#include "COpenSSL.h"
#include "memory.h"

#include <limits.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

void copenssl_key_free(copenssl_key *key) { EVP_PKEY_free((EVP_PKEY *)key); }

// Without a callback OpenSSL would ask for the password of an encrypted key on the terminal.
static int refuse_password(char *buffer, int capacity, int writing, void *context) {
    (void)buffer, (void)capacity, (void)writing, (void)context;
    return -1;
}

copenssl_key *copenssl_key_read_pem(const char *pem, size_t count) {
    if (count == 0 || count > INT_MAX) return NULL;
    EVP_PKEY *key = NULL;
    BIO *input = BIO_new_mem_buf(pem, (int)count);
    if (input != NULL) key = PEM_read_bio_PrivateKey(input, NULL, refuse_password, NULL);
    BIO_free(input);
    ERR_clear_error();
    return (copenssl_key *)key;
}

size_t copenssl_key_write_pem(const copenssl_key *key, char *pem, size_t capacity) {
    BIO *output = BIO_new(BIO_s_mem());
    int complete =
        output != NULL && PEM_write_bio_PKCS8PrivateKey(output, (const EVP_PKEY *)key, NULL, NULL, 0, NULL, NULL) == 1;
    size_t written = copenssl_take(output, complete, pem, capacity);
    ERR_clear_error();
    return written;
}

copenssl_key *copenssl_key_read_public_pem(const char *pem, size_t count) {
    if (count == 0 || count > INT_MAX) return NULL;
    EVP_PKEY *key = NULL;
    BIO *input = BIO_new_mem_buf(pem, (int)count);
    if (input != NULL) key = PEM_read_bio_PUBKEY(input, NULL, refuse_password, NULL);
    BIO_free(input);
    ERR_clear_error();
    return (copenssl_key *)key;
}

size_t copenssl_key_write_public_pem(const copenssl_key *key, char *pem, size_t capacity) {
    BIO *output = BIO_new(BIO_s_mem());
    int complete = output != NULL && PEM_write_bio_PUBKEY(output, (const EVP_PKEY *)key) == 1;
    size_t written = copenssl_take(output, complete, pem, capacity);
    ERR_clear_error();
    return written;
}

int copenssl_key_equal(const copenssl_key *one, const copenssl_key *other) {
    int equal = EVP_PKEY_eq((const EVP_PKEY *)one, (const EVP_PKEY *)other) == 1;
    ERR_clear_error();
    return equal;
}
