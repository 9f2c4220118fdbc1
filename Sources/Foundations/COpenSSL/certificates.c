// X.509 certificates for servers on this machine, and the authority that signs them (RFC 5280).
#include "COpenSSL.h"
#include "certificates.h"
#include "memory.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <limits.h>
#include <string.h>

int copenssl_certificate_extend(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    int added = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return added;
}

int copenssl_certificate_set_serial(X509 *certificate, const uint8_t *serial, size_t count) {
    BIGNUM *number = BN_bin2bn(serial, (int)count, NULL);
    int set = number != NULL && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;
    BN_free(number);
    return set;
}

static int set_subject(X509 *certificate, const char *name) {
    X509_NAME *subject = X509_NAME_new();
    int set = subject != NULL
        && X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8, (const unsigned char *)name, -1, -1, 0) == 1
        && X509_set_subject_name(certificate, subject) == 1;
    X509_NAME_free(subject);
    return set;
}

static int extend(X509 *certificate, X509 *issuer, const char *alternatives) {
    if (copenssl_certificate_extend(certificate, issuer, NID_subject_key_identifier, "hash") != 1) return 0;
    if (alternatives == NULL) {
        return copenssl_certificate_extend(certificate, issuer, NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
            && copenssl_certificate_extend(certificate, issuer, NID_key_usage, "critical,keyCertSign,cRLSign");
    }
    return copenssl_certificate_extend(certificate, issuer, NID_authority_key_identifier, "keyid:always")
        && copenssl_certificate_extend(certificate, issuer, NID_basic_constraints, "critical,CA:FALSE")
        && copenssl_certificate_extend(certificate, issuer, NID_key_usage, "critical,digitalSignature")
        && copenssl_certificate_extend(certificate, issuer, NID_ext_key_usage, "serverAuth")
        && copenssl_certificate_extend(certificate, issuer, NID_subject_alt_name, alternatives);
}

static size_t write_pem(X509 *certificate, char *pem, size_t capacity) {
    BIO *output = BIO_new(BIO_s_mem());
    int complete = output != NULL && PEM_write_bio_X509(output, certificate) == 1;
    return copenssl_take(output, complete, pem, capacity);
}

size_t copenssl_certificate_issue(
    const copenssl_key *key, const copenssl_certificate_claims *claims, const copenssl_key *issuer_key, const char *issuer_pem,
    char *pem, size_t capacity) {
    size_t written = 0;
    X509 *certificate = X509_new(), *issuer = NULL;
    BIO *input = NULL;
    if (certificate == NULL) goto end;
    if (issuer_pem == NULL) {
        issuer = certificate;
    } else {
        input = BIO_new_mem_buf(issuer_pem, -1);
        if (input != NULL) issuer = PEM_read_bio_X509(input, NULL, NULL, NULL);
        if (issuer == NULL) goto end;
    }
    if (X509_set_version(certificate, X509_VERSION_3) == 1
        && copenssl_certificate_set_serial(certificate, claims->serial, sizeof claims->serial)
        && set_subject(certificate, claims->common_name)
        && X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1
        && ASN1_TIME_set(X509_getm_notBefore(certificate), (time_t)claims->not_before) != NULL
        && ASN1_TIME_set(X509_getm_notAfter(certificate), (time_t)claims->not_after) != NULL
        && X509_set_pubkey(certificate, (EVP_PKEY *)key) == 1
        && extend(certificate, issuer, claims->alternatives)
        && X509_sign(certificate, (EVP_PKEY *)issuer_key, EVP_sha256()) > 0) {
        written = write_pem(certificate, pem, capacity);
    }
end:
    BIO_free(input);
    if (issuer != certificate) X509_free(issuer);
    X509_free(certificate);
    ERR_clear_error();
    return written;
}

// Seconds since 1970; 0 for a time that says nothing.
static int64_t seconds(const ASN1_TIME *time) {
    int days = 0, rest = 0;
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    int64_t value = 0;
    if (epoch != NULL && ASN1_TIME_diff(&days, &rest, epoch, time) == 1) value = (int64_t)days * 86400 + rest;
    ASN1_TIME_free(epoch);
    return value;
}

// Writes the subject as RFC 4514 spells it, in UTF-8; nothing where it does not fit.
static void write_subject(X509 *certificate, char *subject, size_t capacity) {
    subject[0] = '\0';
    BIO *output = BIO_new(BIO_s_mem());
    unsigned long form = XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
    if (output != NULL && X509_NAME_print_ex(output, X509_get_subject_name(certificate), 0, form) >= 0) {
        char *text = NULL;
        long count = BIO_get_mem_data(output, &text);
        if (count > 0 && (size_t)count < capacity) {
            memcpy(subject, text, (size_t)count);
            subject[count] = '\0';
        }
    }
    BIO_free(output);
}

static EVP_PKEY *read_facts(X509 *certificate, copenssl_certificate_facts *facts, char *subject, size_t capacity) {
    facts->not_before = seconds(X509_get0_notBefore(certificate));
    facts->not_after = seconds(X509_get0_notAfter(certificate));
    write_subject(certificate, subject, capacity);
    return X509_get_pubkey(certificate);
}

copenssl_key *copenssl_certificate_read(
    const char *pem, size_t count, copenssl_certificate_facts *facts, char *subject, size_t capacity) {
    if (count == 0 || count > INT_MAX) return NULL;
    EVP_PKEY *key = NULL;
    X509 *certificate = NULL;
    BIO *input = BIO_new_mem_buf(pem, (int)count);
    if (input != NULL) certificate = PEM_read_bio_X509(input, NULL, NULL, NULL);
    if (certificate != NULL) key = read_facts(certificate, facts, subject, capacity);
    X509_free(certificate);
    BIO_free(input);
    ERR_clear_error();
    return (copenssl_key *)key;
}

copenssl_key *copenssl_certificate_read_der(
    const uint8_t *der, size_t count, copenssl_certificate_facts *facts, char *subject, size_t capacity) {
    if (count > LONG_MAX) return NULL;
    EVP_PKEY *key = NULL;
    const unsigned char *next = der;
    X509 *certificate = d2i_X509(NULL, &next, (long)count);
    if (certificate != NULL && next == der + count) key = read_facts(certificate, facts, subject, capacity);
    X509_free(certificate);
    ERR_clear_error();
    return (copenssl_key *)key;
}

static X509 *next_certificate(BIO *input) { return input == NULL ? NULL : PEM_read_bio_X509(input, NULL, NULL, NULL); }

static int is_issued(X509 *certificate, X509 *issuer) {
    return X509_check_issued(issuer, certificate) == X509_V_OK && X509_verify(certificate, X509_get0_pubkey(issuer)) == 1;
}

enum { MOST_IN_CHAIN = 100 };

int copenssl_certificate_chain(const char *pem, size_t count, const char *chain, size_t chain_count, int64_t now) {
    if (count > INT_MAX || chain_count > INT_MAX) return COPENSSL_CHAIN_UNREADABLE;
    BIO *body = BIO_new_mem_buf(pem, (int)count), *input = BIO_new_mem_buf(chain, (int)chain_count);
    X509 *certificate = next_certificate(body), *issuer = NULL;
    int result = COPENSSL_CHAIN_UNREADABLE, index = -1;
    while (certificate != NULL && index < MOST_IN_CHAIN) {
        issuer = next_certificate(input);
        if (issuer == NULL) {
            if (index >= 0) result = COPENSSL_CHAIN_VALID;
            break;
        }
        result = index;
        if (!is_issued(certificate, issuer)) break;
        result = ++index;
        if (now < seconds(X509_get0_notBefore(issuer)) || now > seconds(X509_get0_notAfter(issuer))) break;
        result = COPENSSL_CHAIN_UNREADABLE;
        X509_free(certificate);
        certificate = issuer;
        issuer = NULL;
    }
    X509_free(issuer);
    X509_free(certificate);
    BIO_free(input);
    BIO_free(body);
    ERR_clear_error();
    return result;
}

int copenssl_certificate_has_key(const uint8_t *der, size_t count, const copenssl_key *key) {
    if (count > LONG_MAX) return 0;
    const unsigned char *next = der;
    X509 *certificate = d2i_X509(NULL, &next, (long)count);
    EVP_PKEY *certified = certificate == NULL ? NULL : X509_get0_pubkey(certificate);
    int same = certified != NULL && EVP_PKEY_eq(certified, (const EVP_PKEY *)key) == 1;
    X509_free(certificate);
    ERR_clear_error();
    return same;
}
