// The arithmetic of Secure Remote Password (RFC 5054) in the 3072-bit group of RFC 3526 with the generator 2. Exponentiations with secrets
// take a time that does not depend on them.
#include "COpenSSL.h"

#include <openssl/bn.h>
#include <openssl/err.h>

#define COUNT COPENSSL_SRP_COUNT

// The numbers of one computation. The context owns every number but the prime.
typedef struct {
    BN_CTX *context;
    BN_MONT_CTX *montgomery;
    BIGNUM *prime;
} group;

static int begin(group *group) {
    group->context = BN_CTX_secure_new();
    if (group->context) BN_CTX_start(group->context);
    group->montgomery = BN_MONT_CTX_new();
    group->prime = BN_get_rfc3526_prime_3072(NULL);
    if (!group->context || !group->montgomery || !group->prime) return 0;
    return BN_MONT_CTX_set(group->montgomery, group->prime, group->context);
}

static int end(group *group, int done) {
    if (group->context) BN_CTX_end(group->context);
    BN_CTX_free(group->context);
    BN_MONT_CTX_free(group->montgomery);
    BN_free(group->prime);
    ERR_clear_error();
    return done;
}

// A number that the context owns; NULL if memory runs out or there are too many bytes.
static BIGNUM *number(group *group, const uint8_t *bytes, size_t count) {
    BIGNUM *result = BN_CTX_get(group->context);
    if (!result || count > COUNT) return NULL;
    return BN_bin2bn(bytes, (int)count, result);
}

static int power(group *group, BIGNUM *result, const BIGNUM *base, BIGNUM *exponent) {
    BN_set_flags(exponent, BN_FLG_CONSTTIME);
    return BN_mod_exp_mont_consttime(result, base, exponent, group->prime, group->context, group->montgomery);
}

int copenssl_srp_prime(uint8_t *prime) {
    group group;
    return end(&group, begin(&group) && BN_bn2binpad(group.prime, prime, COUNT) == COUNT);
}

int copenssl_srp_power(const uint8_t *exponent, size_t count, uint8_t *result) {
    group group;
    if (!begin(&group)) return end(&group, 0);
    BIGNUM *x = number(&group, exponent, count), *generator = BN_CTX_get(group.context), *value = BN_CTX_get(group.context);
    int done = x && generator && value && BN_set_word(generator, 2) && power(&group, value, generator, x)
        && BN_bn2binpad(value, result, COUNT) == COUNT;
    return end(&group, done);
}

int copenssl_srp_public(
    const uint8_t *multiplier, size_t multiplier_count, const uint8_t *verifier, const uint8_t *secret, size_t secret_count,
    uint8_t *result) {
    group group;
    if (!begin(&group)) return end(&group, 0);
    BIGNUM *k = number(&group, multiplier, multiplier_count), *v = number(&group, verifier, COUNT);
    BIGNUM *b = number(&group, secret, secret_count), *generator = BN_CTX_get(group.context);
    BIGNUM *product = BN_CTX_get(group.context), *value = BN_CTX_get(group.context);
    int done = k && v && b && generator && product && value && BN_set_word(generator, 2) && power(&group, value, generator, b)
        && BN_mod_mul(product, k, v, group.prime, group.context) && BN_mod_add(value, value, product, group.prime, group.context)
        && BN_bn2binpad(value, result, COUNT) == COUNT;
    return end(&group, done);
}

int copenssl_srp_secret(
    const uint8_t *client, size_t client_count, const uint8_t *verifier, const uint8_t *scrambler, size_t scrambler_count,
    const uint8_t *secret, size_t secret_count, uint8_t *result) {
    group group;
    if (!begin(&group)) return end(&group, 0);
    BIGNUM *a = number(&group, client, client_count), *v = number(&group, verifier, COUNT);
    BIGNUM *u = number(&group, scrambler, scrambler_count), *b = number(&group, secret, secret_count);
    BIGNUM *base = BN_CTX_get(group.context), *value = BN_CTX_get(group.context);
    // A client that sends a multiple of the prime would know the result without the password (RFC 5054 section 2.5.4).
    int done = a && v && u && b && base && value && BN_nnmod(base, a, group.prime, group.context) && !BN_is_zero(base)
        && !BN_is_zero(u) && power(&group, value, v, u) && BN_mod_mul(base, base, value, group.prime, group.context)
        && power(&group, value, base, b) && BN_bn2binpad(value, result, COUNT) == COUNT;
    return end(&group, done);
}
