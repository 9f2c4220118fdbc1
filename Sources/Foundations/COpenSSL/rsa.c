// RSA keys, RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2) and RSASSA-PSS (section 8.1).
#include "COpenSSL.h"
#include "prepared.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

/// What decides whether a generation goes on.
typedef struct {
    int (*goes_on)(void *);
    void *context;
} condition;

static int check(EVP_PKEY_CTX *context) {
    const condition *checked = EVP_PKEY_CTX_get_app_data(context);
    return checked->goes_on(checked->context);
}

copenssl_key *copenssl_rsa_generate(size_t bits, int (*goes_on)(void *), void *context) {
    condition checked = {goes_on, context};
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *generation = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    if (generation && EVP_PKEY_keygen_init(generation) > 0 && EVP_PKEY_CTX_set_rsa_keygen_bits(generation, (int)bits) > 0) {
        EVP_PKEY_CTX_set_app_data(generation, &checked);
        if (goes_on) EVP_PKEY_CTX_set_cb(generation, check);
        if (EVP_PKEY_generate(generation, &key) <= 0) key = NULL;
    }
    EVP_PKEY_CTX_free(generation);
    ERR_clear_error();
    return (copenssl_key *)key;
}

copenssl_key *copenssl_rsa_public(const uint8_t *modulus, size_t modulus_count, const uint8_t *exponent, size_t exponent_count) {
    // Bounds before any arithmetic: numbers far beyond every real key are refused unread.
    if (modulus_count > 4096 || exponent_count > 4096) return NULL;
    EVP_PKEY *key = NULL;
    BIGNUM *n = BN_bin2bn(modulus, (int)modulus_count, NULL);
    BIGNUM *e = BN_bin2bn(exponent, (int)exponent_count, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    // An even modulus or exponent is no key, and a long exponent only makes verifying slow.
    if (n != NULL && e != NULL && builder != NULL && context != NULL && BN_is_odd(n) && BN_is_odd(e) && BN_num_bits(e) >= 2
        && BN_num_bits(e) <= 64 && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n)
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e)
        && (parameters = OSSL_PARAM_BLD_to_param(builder)) != NULL && EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    BN_free(e);
    BN_free(n);
    ERR_clear_error();
    return (copenssl_key *)key;
}

size_t copenssl_rsa_bits(const copenssl_key *key) {
    if (!EVP_PKEY_is_a((const EVP_PKEY *)key, "RSA")) return 0;
    int bits = EVP_PKEY_get_bits((const EVP_PKEY *)key);
    return bits > 0 ? (size_t)bits : 0;
}

static size_t number(const copenssl_key *key, const char *name, uint8_t *bytes, size_t capacity) {
    size_t count = 0;
    BIGNUM *value = NULL;
    if (EVP_PKEY_get_bn_param((const EVP_PKEY *)key, name, &value) == 1 && (size_t)BN_num_bytes(value) <= capacity) {
        count = (size_t)BN_bn2bin(value, bytes);
    }
    BN_free(value);
    ERR_clear_error();
    return count;
}

size_t copenssl_rsa_modulus(const copenssl_key *key, uint8_t *bytes, size_t capacity) {
    return number(key, OSSL_PKEY_PARAM_RSA_N, bytes, capacity);
}

size_t copenssl_rsa_exponent(const copenssl_key *key, uint8_t *bytes, size_t capacity) {
    return number(key, OSSL_PKEY_PARAM_RSA_E, bytes, capacity);
}

static const EVP_MD *digest_of(int hash) {
    switch (hash) {
    case COPENSSL_MD5: return EVP_md5();
    case COPENSSL_SHA1: return EVP_sha1();
    case COPENSSL_SHA256: return EVP_sha256();
    case COPENSSL_SHA384: return EVP_sha384();
    case COPENSSL_SHA512: return EVP_sha512();
    default: return NULL;
    }
}

typedef int initialize(EVP_PKEY_CTX *);

static EVP_PKEY_CTX *prepare_rsa(const copenssl_key *key, int scheme, int hash, initialize *initialize) {
    const EVP_MD *digest = digest_of(hash);
    int padding = scheme == COPENSSL_PSS ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING;
    // Only the reference count of the key is touched; the parameter of OpenSSL is not const for that reason alone.
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, (EVP_PKEY *)key, NULL);
    if (context != NULL && digest != NULL && initialize(context) == 1 && EVP_PKEY_CTX_set_rsa_padding(context, padding) == 1
        && EVP_PKEY_CTX_set_signature_md(context, digest) == 1
        // JOSE has salt as long as the digest, and the mask made with the same digest. (RFC 7518 section 3.5.)
        && (scheme != COPENSSL_PSS
            || (EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1))) {
        return context;
    }
    EVP_PKEY_CTX_free(context);
    return NULL;
}

static EVP_PKEY_CTX *prepare_signer(const copenssl_key *key, int scheme, int hash) {
    return prepare_rsa(key, scheme, hash, EVP_PKEY_sign_init);
}

static EVP_PKEY_CTX *prepare_verifier(const copenssl_key *key, int scheme, int hash) {
    return prepare_rsa(key, scheme, hash, EVP_PKEY_verify_init);
}

size_t copenssl_rsa_sign(
    const copenssl_key *key, int scheme, int hash, const uint8_t *digest, size_t digest_count, uint8_t *signature, size_t capacity) {
    size_t count = capacity;
    EVP_PKEY_CTX *context = copenssl_prepared(RSA_SIGNS, key, scheme, hash, prepare_signer);
    if (context == NULL || EVP_PKEY_sign(context, signature, &count, digest, digest_count) != 1) count = 0;
    if (count == 0) ERR_clear_error();
    return count;
}

int copenssl_rsa_verify(
    const copenssl_key *key, int scheme, int hash, const uint8_t *digest, size_t digest_count, const uint8_t *signature, size_t count) {
    EVP_PKEY_CTX *context = copenssl_prepared(RSA_VERIFIES, key, scheme, hash, prepare_verifier);
    int verified = context != NULL && EVP_PKEY_verify(context, signature, count, digest, digest_count) == 1;
    if (!verified) ERR_clear_error();
    return verified;
}
