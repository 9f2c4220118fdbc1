// Keys on the curves P-256, P-384 and P-521 and ECDSA (FIPS 186-5), with signatures as r || s (RFC 7518 section 3.4).
#include "COpenSSL.h"
#include "prepared.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <string.h>

// The longest coordinate, that of P-521.
#define COORDINATE 66

static char *curve_name(size_t bits) {
    switch (bits) {
    case 256: return "P-256";
    case 384: return "P-384";
    case 521: return "P-521";
    default: return NULL;
    }
}

copenssl_key *copenssl_ec_generate(size_t bits) {
    char *name = curve_name(bits);
    EVP_PKEY *key = name == NULL ? NULL : EVP_PKEY_Q_keygen(NULL, NULL, "EC", name);
    ERR_clear_error();
    return (copenssl_key *)key;
}

copenssl_key *copenssl_ec_public(size_t bits, const uint8_t *coordinates, size_t count) {
    char *name = curve_name(bits);
    if (name == NULL || count != (bits + 7) / 8 * 2) return NULL;
    uint8_t point[1 + 2 * COORDINATE] = {POINT_CONVERSION_UNCOMPRESSED};
    memcpy(point + 1, coordinates, count);
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, name, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, count + 1),
        OSSL_PARAM_construct_end(),
    };
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (context != NULL && EVP_PKEY_fromdata_init(context) == 1
        && EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return (copenssl_key *)key;
}

size_t copenssl_ec_bits(const copenssl_key *key) {
    char group[32];
    size_t count = 0;
    if (!EVP_PKEY_is_a((const EVP_PKEY *)key, "EC")
        || EVP_PKEY_get_group_name((const EVP_PKEY *)key, group, sizeof group, &count) != 1) {
        ERR_clear_error();
        return 0;
    }
    if (strcmp(group, "prime256v1") == 0 || strcmp(group, "P-256") == 0) return 256;
    if (strcmp(group, "secp384r1") == 0 || strcmp(group, "P-384") == 0) return 384;
    if (strcmp(group, "secp521r1") == 0 || strcmp(group, "P-521") == 0) return 521;
    return 0;
}

int copenssl_ec_coordinates(const copenssl_key *key, uint8_t *coordinates, size_t count) {
    BIGNUM *x = NULL, *y = NULL;
    int half = (int)(count / 2);
    int done = count <= 2 * COORDINATE && EVP_PKEY_get_bn_param((const EVP_PKEY *)key, OSSL_PKEY_PARAM_EC_PUB_X, &x) == 1
        && EVP_PKEY_get_bn_param((const EVP_PKEY *)key, OSSL_PKEY_PARAM_EC_PUB_Y, &y) == 1
        && BN_bn2binpad(x, coordinates, half) == half && BN_bn2binpad(y, coordinates + half, half) == half;
    BN_free(y);
    BN_free(x);
    ERR_clear_error();
    return done;
}

// OpenSSL speaks DER: SEQUENCE { INTEGER r, INTEGER s }, at most 2 * (3 + COORDINATE) + 3 bytes.
#define DER (2 * (3 + COORDINATE) + 3)

static EVP_PKEY_CTX *prepare_ec(const copenssl_key *key, int (*initialize)(EVP_PKEY_CTX *)) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, (EVP_PKEY *)key, NULL);
    if (context != NULL && initialize(context) == 1) return context;
    EVP_PKEY_CTX_free(context);
    return NULL;
}

// The curve is the key's own and the digest comes finished, so that neither scheme nor hash says anything here.
static EVP_PKEY_CTX *prepare_signer(const copenssl_key *key, int scheme, int hash) { return prepare_ec(key, EVP_PKEY_sign_init); }

static EVP_PKEY_CTX *prepare_verifier(const copenssl_key *key, int scheme, int hash) { return prepare_ec(key, EVP_PKEY_verify_init); }

int copenssl_ec_sign(const copenssl_key *key, const uint8_t *digest, size_t digest_count, uint8_t *signature, size_t count) {
    uint8_t der[DER];
    size_t der_count = sizeof der;
    int half = (int)(count / 2), done = 0;
    EVP_PKEY_CTX *context = copenssl_prepared(EC_SIGNS, key, 0, 0, prepare_signer);
    if (count <= 2 * COORDINATE && context != NULL
        && EVP_PKEY_sign(context, der, &der_count, digest, digest_count) == 1) {
        const uint8_t *input = der;
        ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &input, (long)der_count);
        done = pair != NULL && BN_bn2binpad(ECDSA_SIG_get0_r(pair), signature, half) == half
            && BN_bn2binpad(ECDSA_SIG_get0_s(pair), signature + half, half) == half;
        ECDSA_SIG_free(pair);
    }
    if (!done) ERR_clear_error();
    return done;
}

int copenssl_ec_verify(const copenssl_key *key, const uint8_t *digest, size_t digest_count, const uint8_t *signature, size_t count) {
    uint8_t der[DER];
    uint8_t *output = der;
    if (count == 0 || count > 2 * COORDINATE || count % 2 != 0) return 0;
    int half = (int)(count / 2), verified = 0;
    BIGNUM *r = BN_bin2bn(signature, half, NULL), *s = BN_bin2bn(signature + half, half, NULL);
    ECDSA_SIG *pair = ECDSA_SIG_new();
    EVP_PKEY_CTX *context = copenssl_prepared(EC_VERIFIES, key, 0, 0, prepare_verifier);
    if (r != NULL && s != NULL && pair != NULL && context != NULL && ECDSA_SIG_set0(pair, r, s) == 1) {
        // The pair owns both numbers from here on.
        r = s = NULL;
        int der_count = i2d_ECDSA_SIG(pair, &output);
        verified = der_count > 0 && EVP_PKEY_verify(context, der, (size_t)der_count, digest, digest_count) == 1;
    }
    ECDSA_SIG_free(pair);
    BN_free(s);
    BN_free(r);
    if (!verified) ERR_clear_error();
    return verified;
}
