// A small opaque face of OpenSSL's libcrypto. No OpenSSL header is included here, so no OpenSSL type reaches Swift.
// Functions that can fail answer 1 for success and 0 for failure; none of them leaves entries in OpenSSL's error queue.
#ifndef COPENSSL_H
#define COPENSSL_H

#include <stddef.h>
#include <stdint.h>

// Digest states are plain bytes that may be copied and moved freely; they own nothing. Finalizing reads a copy.
typedef struct { uint64_t words[12]; } copenssl_md5_state;
typedef struct { uint64_t words[12]; } copenssl_sha1_state;
typedef struct { uint64_t words[14]; } copenssl_sha256_state;
typedef struct { uint64_t words[27]; } copenssl_sha512_state;

copenssl_md5_state copenssl_md5_init(void);
void copenssl_md5_update(copenssl_md5_state *state, const void *bytes, size_t count);
void copenssl_md5_final(const copenssl_md5_state *state, uint8_t *digest);

copenssl_sha1_state copenssl_sha1_init(void);
void copenssl_sha1_update(copenssl_sha1_state *state, const void *bytes, size_t count);
void copenssl_sha1_final(const copenssl_sha1_state *state, uint8_t *digest);

copenssl_sha256_state copenssl_sha256_init(void);
void copenssl_sha256_update(copenssl_sha256_state *state, const void *bytes, size_t count);
void copenssl_sha256_final(const copenssl_sha256_state *state, uint8_t *digest);

// SHA-384 shares the state of SHA-512.
copenssl_sha512_state copenssl_sha384_init(void);
void copenssl_sha384_update(copenssl_sha512_state *state, const void *bytes, size_t count);
void copenssl_sha384_final(const copenssl_sha512_state *state, uint8_t *digest);

copenssl_sha512_state copenssl_sha512_init(void);
void copenssl_sha512_update(copenssl_sha512_state *state, const void *bytes, size_t count);
void copenssl_sha512_final(const copenssl_sha512_state *state, uint8_t *digest);

// HMAC keys are the two digest states after the padded key, so each message costs no key setup.
typedef struct { copenssl_sha1_state inner, outer; } copenssl_hmac_sha1_key;
typedef struct { copenssl_sha256_state inner, outer; } copenssl_hmac_sha256_key;

copenssl_hmac_sha1_key copenssl_hmac_sha1_prepare(const uint8_t *key, size_t count);
void copenssl_hmac_sha1(const copenssl_hmac_sha1_key *key, const void *message, size_t count, uint8_t *code);

copenssl_hmac_sha256_key copenssl_hmac_sha256_prepare(const uint8_t *key, size_t count);
void copenssl_hmac_sha256(const copenssl_hmac_sha256_key *key, const void *message, size_t count, uint8_t *code);

/// HMAC with a digest of `COPENSSL_SHA…`; writes a code as long as the digest.
int copenssl_hmac(int hash, const uint8_t *key, size_t key_count, const void *message, size_t count, uint8_t *code);

/// PBKDF2 (RFC 8018 section 5.2) with HMAC over a digest of `COPENSSL_SHA…`; writes a key of `key_count` bytes.
int copenssl_pbkdf2(
    int hash, const char *password, size_t count, const uint8_t *salt, size_t salt_count, size_t iterations, uint8_t *key,
    size_t key_count);

/// 1 when equal; the time taken does not depend on the bytes.
int copenssl_equal(const void *a, const void *b, size_t count);

int copenssl_random(uint8_t *bytes, size_t count);

// An asymmetric key, private or public. Once made it is never changed, so threads may use one key at the same time.
typedef struct copenssl_key copenssl_key;

void copenssl_key_free(copenssl_key *key);

/// Reads one unencrypted private key (PKCS#8, PKCS#1 or SEC1); NULL for anything else.
copenssl_key *copenssl_key_read_pem(const char *pem, size_t count);
/// Writes a private key as PKCS#8 PEM; answers the number of characters, 0 when they do not fit.
size_t copenssl_key_write_pem(const copenssl_key *key, char *pem, size_t capacity);

/// Reads one public key (SubjectPublicKeyInfo); NULL for anything else.
copenssl_key *copenssl_key_read_public_pem(const char *pem, size_t count);
/// Writes the public half of a key as SubjectPublicKeyInfo; answers the number of characters, 0 when they do not fit.
size_t copenssl_key_write_public_pem(const copenssl_key *key, char *pem, size_t capacity);
/// 1 when the public halves are the same.
int copenssl_key_equal(const copenssl_key *one, const copenssl_key *other);

// The digest that a signature is made over.
enum { COPENSSL_MD5 = 128, COPENSSL_SHA1 = 160, COPENSSL_SHA256 = 256, COPENSSL_SHA384 = 384, COPENSSL_SHA512 = 512 };

/// Makes a key pair. `goes_on` is called often meanwhile, unless it is null; the generation fails when it answers 0.
copenssl_key *copenssl_rsa_generate(size_t bits, int (*goes_on)(void *), void *context);
copenssl_key *copenssl_rsa_public(const uint8_t *modulus, size_t modulus_count, const uint8_t *exponent, size_t exponent_count);
/// The length of the modulus in bits, 0 for a key of another kind.
size_t copenssl_rsa_bits(const copenssl_key *key);
/// Write a number big-endian without leading zeros; answer its length, 0 when it does not fit.
size_t copenssl_rsa_modulus(const copenssl_key *key, uint8_t *bytes, size_t capacity);
size_t copenssl_rsa_exponent(const copenssl_key *key, uint8_t *bytes, size_t capacity);
// RSASSA-PKCS1-v1_5, or RSASSA-PSS with a salt as long as the digest and the mask made with the same digest.
enum { COPENSSL_PKCS1 = 1, COPENSSL_PSS = 2 };
/// Signs a finished digest; answers the length of the signature, 0 for failure.
size_t copenssl_rsa_sign(
    const copenssl_key *key, int scheme, int hash, const uint8_t *digest, size_t digest_count, uint8_t *signature, size_t capacity);
int copenssl_rsa_verify(
    const copenssl_key *key, int scheme, int hash, const uint8_t *digest, size_t digest_count, const uint8_t *signature, size_t count);

// Curves are named by their size in bits: 256, 384 or 521 (P-256, P-384, P-521).
copenssl_key *copenssl_ec_generate(size_t bits);
/// Makes a public key from the coordinates x || y; NULL when the point is not on the curve.
copenssl_key *copenssl_ec_public(size_t bits, const uint8_t *coordinates, size_t count);
/// The curve of a key, 0 for a key of another kind or curve.
size_t copenssl_ec_bits(const copenssl_key *key);
/// Writes the coordinates x || y, each of `count` / 2 bytes.
int copenssl_ec_coordinates(const copenssl_key *key, uint8_t *coordinates, size_t count);
/// ECDSA over a finished digest, as r || s, each of `count` / 2 bytes.
int copenssl_ec_sign(const copenssl_key *key, const uint8_t *digest, size_t digest_count, uint8_t *signature, size_t count);
int copenssl_ec_verify(const copenssl_key *key, const uint8_t *digest, size_t digest_count, const uint8_t *signature, size_t count);

// Ed25519: public keys of 32 bytes, signatures of 64, over the message itself.
copenssl_key *copenssl_ed25519_generate(void);
copenssl_key *copenssl_ed25519_public(const uint8_t *bytes, size_t count);
/// 1 for an Ed25519 key.
int copenssl_is_ed25519(const copenssl_key *key);
int copenssl_ed25519_bytes(const copenssl_key *key, uint8_t *bytes);
int copenssl_ed25519_sign(const copenssl_key *key, const void *message, size_t count, uint8_t *signature);
int copenssl_ed25519_verify(const copenssl_key *key, const void *message, size_t count, const uint8_t *signature, size_t signature_count);

// AES-256-GCM with keys of 32, nonces of 12 and tags of 16 bytes. The output is as long as the input.
int copenssl_aes256gcm_seal(
    const uint8_t *key, const uint8_t *nonce, const void *context, size_t context_count, const void *plaintext, size_t count,
    uint8_t *ciphertext, uint8_t *tag);
int copenssl_aes256gcm_open(
    const uint8_t *key, const uint8_t *nonce, const void *context, size_t context_count, const void *ciphertext, size_t count,
    const uint8_t *tag, uint8_t *plaintext);

// The ciphers of XML Encryption, with keys of 16, 24 or 32 bytes.
/// AES-CBC over whole blocks without padding, with initialisation vectors of 16 bytes. The output is as long as the input.
int copenssl_aescbc(
    const uint8_t *key, size_t key_count, const uint8_t *iv, int encrypting, const void *input, size_t count, uint8_t *output);
/// AES-GCM with nonces of 12 and tags of 16 bytes. The output is as long as the input.
int copenssl_aesgcm_seal(
    const uint8_t *key, size_t key_count, const uint8_t *nonce, const void *context, size_t context_count, const void *plaintext,
    size_t count, uint8_t *ciphertext, uint8_t *tag);
int copenssl_aesgcm_open(
    const uint8_t *key, size_t key_count, const uint8_t *nonce, const void *context, size_t context_count, const void *ciphertext,
    size_t count, const uint8_t *tag, uint8_t *plaintext);
/// RSAES-OAEP with an empty label; answer the length of the output, 0 for failure.
size_t copenssl_rsa_oaep_encrypt(
    const copenssl_key *key, int hash, int mask_hash, const uint8_t *message, size_t count, uint8_t *output, size_t capacity);
size_t copenssl_rsa_oaep_decrypt(
    const copenssl_key *key, int hash, int mask_hash, const uint8_t *message, size_t count, uint8_t *output, size_t capacity);

/// Elliptic-curve Diffie-Hellman between a private key and a public key of the same curve; writes one coordinate.
int copenssl_ecdh(const copenssl_key *own, const copenssl_key *other, uint8_t *secret, size_t count);
/// AES Key Wrap (RFC 3394) with keys of 16, 24 or 32 bytes, over at least 16 bytes in blocks of 8. Wrapping writes 8 bytes more than the
/// input has, unwrapping 8 bytes less.
int copenssl_aeskw_wrap(const uint8_t *key, size_t key_count, const uint8_t *input, size_t count, uint8_t *output);
int copenssl_aeskw_unwrap(const uint8_t *key, size_t key_count, const uint8_t *input, size_t count, uint8_t *output);

// What a certificate says (RFC 5280). Times are seconds since 1970.
typedef struct {
    const char *common_name;
    /// In the form of OpenSSL's configuration, `DNS:localhost,IP:127.0.0.1`; NULL for an authority.
    const char *alternatives;
    uint8_t serial[16];
    int64_t not_before, not_after;
} copenssl_certificate_claims;

/// Signs a certificate for `key` and writes it as PEM; `issuer_pem` is NULL for one that signs itself. Answers the number of
/// characters, 0 for failure.
size_t copenssl_certificate_issue(
    const copenssl_key *key, const copenssl_certificate_claims *claims, const copenssl_key *issuer_key, const char *issuer_pem,
    char *pem, size_t capacity);
// When a certificate counts, in seconds since 1970.
typedef struct { int64_t not_before, not_after; } copenssl_certificate_facts;

/// Reads the first certificate of a text: its public key, when it counts, and its subject as RFC 4514 spells it, with a zero at the end.
/// The subject is empty where it does not fit. NULL for anything else.
copenssl_key *copenssl_certificate_read(
    const char *pem, size_t count, copenssl_certificate_facts *facts, char *subject, size_t capacity);

/// The same of a certificate in DER.
copenssl_key *copenssl_certificate_read_der(
    const uint8_t *der, size_t count, copenssl_certificate_facts *facts, char *subject, size_t capacity);

// What copenssl_certificate_chain answers apart from an index.
enum { COPENSSL_CHAIN_VALID = -2, COPENSSL_CHAIN_UNREADABLE = -3 };

/// Checks that each certificate of a chain issued the one before it, and the first the certificate itself, and that those of the chain are
/// valid at a time. Answers the index within the chain of the first that is not valid or was not issued by the next one; -1 is the
/// certificate itself. A text without certificates, and one with more than a hundred, is unreadable.
int copenssl_certificate_chain(const char *pem, size_t count, const char *chain, size_t chain_count, int64_t now);

/// 1 when a certificate in DER is for this public key.
int copenssl_certificate_has_key(const uint8_t *der, size_t count, const copenssl_key *key);

// What a certificate in DER says about a client. The serial number is big-endian without leading zeros; it is empty if it is negative or longer
// than RFC 5280 allows. The hash is a `COPENSSL_…` digest, or 0 for another.
typedef struct {
    int version, is_malformed, is_authority, may_sign, hash;
    uint8_t serial[20];
    size_t serial_count;
} copenssl_client_certificate;

/// Reads a certificate, and writes its names: texts with a zero at the end of each, the first of them empty, then three for each attribute:
/// `subject`, `issuer`, `alternative` or `directory`, the short name of its type, and its value. Answers their length; 0 for anything else,
/// and for names that do not fit.
size_t copenssl_client_certificate_read(
    const uint8_t *der, size_t count, copenssl_client_certificate *facts, char *names, size_t capacity);
/// 1 for a text of certificates in PEM that are all of authorities.
int copenssl_authorities_are_valid(const char *pem, size_t count);
/// 1 if there is a path from a certificate over those of a chain (in DER, one after another) to one of the authorities, all valid at a time,
/// and writes the certificates of the path after the first in DER, each after its length in four bytes, big-endian.
/// Otherwise writes the reason, with a zero at its end.
int copenssl_certificate_is_trusted(
    const uint8_t *der, size_t count, const uint8_t *chain, size_t chain_count, const char *authorities, size_t authorities_count,
    int64_t now, uint8_t *path, size_t path_capacity, size_t *path_count, char *reason, size_t capacity);
/// 1 for a text of certificate revocation lists in PEM, each of which one of the authorities signed.
int copenssl_revocations_are_signed(const char *pem, size_t count, const char *authorities, size_t authorities_count);
/// 1 if a certificate, or one of its chain, is in one of the revocation lists of its issuer.
int copenssl_certificate_is_revoked(
    const uint8_t *der, size_t count, const uint8_t *chain, size_t chain_count, const char *pem, size_t pem_count);
/// Signs a certificate for a client, and writes it as PEM. The subject has names of attributes and their values, each with a zero at its end,
/// and an empty name at the end; the common name of the claims is ignored. Answers the number of characters, 0 for failure.
size_t copenssl_client_certificate_issue(
    const copenssl_key *key, const char *subject, const copenssl_certificate_claims *claims, const copenssl_key *issuer_key,
    const char *issuer_pem, char *pem, size_t capacity);
/// Writes one of the certificates of a PEM text in DER; answers its length, 0 where there is none.
size_t copenssl_certificate_der(const char *pem, size_t count, size_t index, uint8_t *der, size_t capacity);

/// ECDSA over a finished digest, with signatures in DER (RFC 5480); answers the length of the signature, 0 for failure.
size_t copenssl_ec_sign_der(const copenssl_key *key, const uint8_t *digest, size_t digest_count, uint8_t *signature, size_t capacity);
int copenssl_ec_verify_der(const copenssl_key *key, const uint8_t *digest, size_t digest_count, const uint8_t *signature, size_t count);

// The arithmetic of Secure Remote Password in the 3072-bit group of RFC 3526 with the generator 2. Numbers are big-endian; those of the group
// have `COPENSSL_SRP_COUNT` bytes, others at most as many.
enum { COPENSSL_SRP_COUNT = 384 };
/// Writes the prime.
int copenssl_srp_prime(uint8_t *prime);
/// The generator raised to an exponent.
int copenssl_srp_power(const uint8_t *exponent, size_t count, uint8_t *result);
/// The public value of a server: multiplier * verifier + generator ^ secret.
int copenssl_srp_public(
    const uint8_t *multiplier, size_t multiplier_count, const uint8_t *verifier, const uint8_t *secret, size_t secret_count,
    uint8_t *result);
/// What a server and a client have in common: (client * verifier ^ scrambler) ^ secret. 0 for a client's value that is a multiple of the prime.
int copenssl_srp_secret(
    const uint8_t *client, size_t client_count, const uint8_t *verifier, const uint8_t *scrambler, size_t scrambler_count,
    const uint8_t *secret, size_t secret_count, uint8_t *result);

#endif
