// X.509 certificates of clients (RFC 5280): what they say, whether authorities vouch for them, and issuing them.
#include "COpenSSL.h"
#include "certificates.h"
#include "memory.h"

#include <limits.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <string.h>

// Texts, each with a zero at its end.
typedef struct {
    char *start;
    size_t count, capacity;
    int fits;
} text_list;

static void add_text(text_list *list, const char *text, size_t count) {
    if (!list->fits || count >= list->capacity - list->count) {
        list->fits = 0;
        return;
    }
    memcpy(list->start + list->count, text, count);
    list->count += count;
    list->start[list->count++] = '\0';
}

static void add_value(text_list *list, const char *kind, const char *name, const ASN1_STRING *value) {
    unsigned char *text = NULL;
    int count = ASN1_STRING_to_UTF8(&text, value);
    // A zero in a name is an attempt to look like another name.
    if (count >= 0 && memchr(text, 0, (size_t)count) == NULL) {
        add_text(list, kind, strlen(kind));
        add_text(list, name, strlen(name));
        add_text(list, (const char *)text, (size_t)count);
    }
    OPENSSL_free(text);
}

static void add_name(text_list *list, const char *kind, const X509_NAME *name) {
    for (int index = 0; index < X509_NAME_entry_count(name); index++) {
        const X509_NAME_ENTRY *entry = X509_NAME_get_entry(name, index);
        char number[64];
        const ASN1_OBJECT *object = X509_NAME_ENTRY_get_object(entry);
        int known = OBJ_obj2nid(object);
        if (known != NID_undef) {
            add_value(list, kind, OBJ_nid2sn(known), X509_NAME_ENTRY_get_data(entry));
        } else if (OBJ_obj2txt(number, sizeof number, object, 1) > 0) {
            add_value(list, kind, number, X509_NAME_ENTRY_get_data(entry));
        }
    }
}

static void add_alternatives(text_list *list, const X509 *certificate) {
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    for (int index = 0; index < sk_GENERAL_NAME_num(names); index++) {
        int kind = 0;
        void *value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, index), &kind);
        if (kind == GEN_DNS) add_value(list, "alternative", "DNS", value);
        if (kind == GEN_URI) add_value(list, "alternative", "URI", value);
        if (kind == GEN_DIRNAME) add_name(list, "directory", value);
    }
    GENERAL_NAMES_free(names);
}

static int hash_of_signature(const X509 *certificate) {
    int digest = NID_undef;
    if (X509_get_signature_info((X509 *)certificate, &digest, NULL, NULL, NULL) != 1) return 0;
    switch (digest) {
    case NID_md5: return COPENSSL_MD5;
    case NID_sha1: return COPENSSL_SHA1;
    case NID_sha256: return COPENSSL_SHA256;
    case NID_sha384: return COPENSSL_SHA384;
    case NID_sha512: return COPENSSL_SHA512;
    default: return 0;
    }
}

static X509 *read_one(const uint8_t *der, size_t count) {
    if (count == 0 || count > LONG_MAX) return NULL;
    const unsigned char *next = der;
    X509 *certificate = d2i_X509(NULL, &next, (long)count);
    if (certificate != NULL && next != der + count) {
        X509_free(certificate);
        certificate = NULL;
    }
    return certificate;
}

static size_t read_serial(const X509 *certificate, uint8_t *serial, size_t capacity) {
    BIGNUM *number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), NULL);
    size_t count = number != NULL && !BN_is_negative(number) ? (size_t)BN_num_bytes(number) : 0;
    if (count > capacity) count = 0;
    if (count > 0) BN_bn2bin(number, serial);
    BN_free(number);
    return count;
}

size_t copenssl_client_certificate_read(
    const uint8_t *der, size_t count, copenssl_client_certificate *facts, char *names, size_t capacity) {
    text_list list = {names, 0, capacity, 1};
    X509 *certificate = read_one(der, count);
    if (certificate != NULL) {
        uint32_t flags = X509_get_extension_flags(certificate);
        facts->version = (int)X509_get_version(certificate) + 1;
        facts->is_malformed = (flags & EXFLAG_INVALID) != 0;
        facts->is_authority = (flags & EXFLAG_CA) != 0;
        facts->may_sign = (flags & EXFLAG_KUSAGE) != 0 && (X509_get_key_usage(certificate) & KU_DIGITAL_SIGNATURE) != 0;
        facts->hash = hash_of_signature(certificate);
        facts->serial_count = read_serial(certificate, facts->serial, sizeof facts->serial);
        // Something to tell a certificate without names from an unreadable one.
        add_text(&list, "", 0);
        add_name(&list, "subject", X509_get_subject_name(certificate));
        add_name(&list, "issuer", X509_get_issuer_name(certificate));
        add_alternatives(&list, certificate);
    }
    X509_free(certificate);
    ERR_clear_error();
    return list.fits ? list.count : 0;
}

// Reads all certificates of a PEM text, at most a hundred; NULL if there is none, or something else among them.
static STACK_OF(X509) *read_authorities(const char *pem, size_t count) {
    STACK_OF(X509) *all = sk_X509_new_null();
    BIO *input = count > INT_MAX ? NULL : BIO_new_mem_buf(pem, (int)count);
    X509 *next = NULL;
    while (all != NULL && input != NULL && sk_X509_num(all) < 100 && (next = PEM_read_bio_X509(input, NULL, NULL, NULL)) != NULL) {
        if (sk_X509_push(all, next) == 0) X509_free(next);
    }
    BIO_free(input);
    ERR_clear_error();
    if (all != NULL && sk_X509_num(all) > 0) return all;
    sk_X509_free(all);
    return NULL;
}

static void free_all(STACK_OF(X509) *all) { sk_X509_pop_free(all, X509_free); }

int copenssl_authorities_are_valid(const char *pem, size_t count) {
    STACK_OF(X509) *all = read_authorities(pem, count);
    int valid = all != NULL;
    for (int index = 0; index < (all == NULL ? 0 : sk_X509_num(all)); index++) {
        X509 *authority = sk_X509_value(all, index);
        if ((X509_get_extension_flags(authority) & EXFLAG_CA) == 0 || X509_get_version(authority) != X509_VERSION_3) valid = 0;
    }
    free_all(all);
    return valid;
}

// Reads the certificates of a chain, one after another in DER.
static STACK_OF(X509) *read_chain(const uint8_t *chain, size_t count) {
    STACK_OF(X509) *all = sk_X509_new_null();
    const unsigned char *next = chain, *end = chain + count;
    while (all != NULL && next < end) {
        X509 *certificate = d2i_X509(NULL, &next, (long)(end - next));
        if (certificate == NULL || sk_X509_push(all, certificate) == 0) {
            X509_free(certificate);
            free_all(all);
            ERR_clear_error();
            return NULL;
        }
    }
    return all;
}

static void copy_text(const char *text, char *to, size_t capacity) {
    size_t count = strlen(text) < capacity ? strlen(text) : capacity - 1;
    memcpy(to, text, count);
    to[count] = '\0';
}

// Writes the certificates of a path after the first, each after its length in four bytes; 0 if they do not fit.
static int write_path(STACK_OF(X509) *path, uint8_t *output, size_t capacity, size_t *written) {
    size_t position = 0;
    for (int index = 1; index < sk_X509_num(path); index++) {
        unsigned char *der = NULL;
        int length = i2d_X509(sk_X509_value(path, index), &der);
        int fits = length > 0 && (size_t)length + 4 <= capacity - position;
        if (fits) {
            for (int shift = 24; shift >= 0; shift -= 8) output[position++] = (uint8_t)((unsigned)length >> shift);
            memcpy(output + position, der, (size_t)length);
            position += (size_t)length;
        }
        OPENSSL_free(der);
        if (!fits) return 0;
    }
    *written = position;
    return 1;
}

int copenssl_certificate_is_trusted(
    const uint8_t *der, size_t count, const uint8_t *chain, size_t chain_count, const char *authorities, size_t authorities_count,
    int64_t now, uint8_t *path, size_t path_capacity, size_t *path_count, char *reason, size_t capacity) {
    X509 *certificate = read_one(der, count);
    STACK_OF(X509) *untrusted = read_chain(chain, chain_count), *trusted = read_authorities(authorities, authorities_count);
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    int result = 0;
    *path_count = 0;
    copy_text("the certificates cannot be read", reason, capacity);
    if (certificate != NULL && untrusted != NULL && trusted != NULL && context != NULL
        && X509_STORE_CTX_init(context, NULL, certificate, untrusted) == 1) {
        X509_VERIFY_PARAM *rules = X509_STORE_CTX_get0_param(context);
        X509_STORE_CTX_set0_trusted_stack(context, trusted);
        X509_VERIFY_PARAM_set_time(rules, (time_t)now);
        X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_PARTIAL_CHAIN);
        // RSA keys of 2048 bits or more, and SHA-256 or better.
        X509_VERIFY_PARAM_set_auth_level(rules, 2);
        result = X509_verify_cert(context) == 1;
        copy_text(X509_verify_cert_error_string(X509_STORE_CTX_get_error(context)), reason, capacity);
        if (result && !write_path(X509_STORE_CTX_get0_chain(context), path, path_capacity, path_count)) {
            result = 0;
            copy_text("the path is too long", reason, capacity);
        }
    }
    X509_STORE_CTX_free(context);
    free_all(trusted);
    free_all(untrusted);
    X509_free(certificate);
    ERR_clear_error();
    return result;
}

static X509_CRL *next_list(BIO *input) { return input == NULL ? NULL : PEM_read_bio_X509_CRL(input, NULL, NULL, NULL); }

int copenssl_revocations_are_signed(const char *pem, size_t count, const char *authorities, size_t authorities_count) {
    STACK_OF(X509) *all = read_authorities(authorities, authorities_count);
    BIO *input = count > INT_MAX ? NULL : BIO_new_mem_buf(pem, (int)count);
    int lists = 0, is_signed = all != NULL;
    X509_CRL *list = NULL;
    while (is_signed && (list = next_list(input)) != NULL) {
        lists++;
        is_signed = 0;
        for (int index = 0; index < sk_X509_num(all) && !is_signed; index++) {
            X509 *authority = sk_X509_value(all, index);
            is_signed = X509_NAME_cmp(X509_CRL_get_issuer(list), X509_get_subject_name(authority)) == 0
                && X509_CRL_verify(list, X509_get0_pubkey(authority)) == 1;
        }
        X509_CRL_free(list);
    }
    BIO_free(input);
    free_all(all);
    ERR_clear_error();
    return is_signed && lists > 0;
}

static int is_in(X509_CRL *list, X509 *certificate) {
    X509_REVOKED *entry = NULL;
    return X509_NAME_cmp(X509_CRL_get_issuer(list), X509_get_issuer_name(certificate)) == 0
        && X509_CRL_get0_by_serial(list, &entry, X509_get_serialNumber(certificate)) == 1;
}

int copenssl_certificate_is_revoked(
    const uint8_t *der, size_t count, const uint8_t *chain, size_t chain_count, const char *pem, size_t pem_count) {
    X509 *certificate = read_one(der, count);
    STACK_OF(X509) *others = read_chain(chain, chain_count);
    BIO *input = pem_count > INT_MAX ? NULL : BIO_new_mem_buf(pem, (int)pem_count);
    // Without a certificate, nothing is trusted.
    int revoked = certificate == NULL || others == NULL;
    X509_CRL *list = NULL;
    while (!revoked && (list = next_list(input)) != NULL) {
        revoked = is_in(list, certificate);
        for (int index = 0; index < sk_X509_num(others) && !revoked; index++) revoked = is_in(list, sk_X509_value(others, index));
        X509_CRL_free(list);
    }
    BIO_free(input);
    free_all(others);
    X509_free(certificate);
    ERR_clear_error();
    return revoked;
}

// Sets the subject from names of attributes and their values, each with a zero at its end; an empty name ends it.
static int set_subject(X509 *certificate, const char *subject) {
    X509_NAME *name = X509_NAME_new();
    int set = name != NULL;
    while (set && *subject != '\0') {
        const char *value = subject + strlen(subject) + 1;
        set = X509_NAME_add_entry_by_txt(name, subject, MBSTRING_UTF8, (const unsigned char *)value, -1, -1, 0) == 1;
        subject = value + strlen(value) + 1;
    }
    set = set && X509_set_subject_name(certificate, name) == 1;
    X509_NAME_free(name);
    return set;
}

size_t copenssl_client_certificate_issue(
    const copenssl_key *key, const char *subject, const copenssl_certificate_claims *claims, const copenssl_key *issuer_key,
    const char *issuer_pem, char *pem, size_t capacity) {
    size_t written = 0;
    X509 *certificate = X509_new(), *issuer = NULL;
    BIO *input = BIO_new_mem_buf(issuer_pem, -1), *output = NULL;
    if (input != NULL) issuer = PEM_read_bio_X509(input, NULL, NULL, NULL);
    if (certificate != NULL && issuer != NULL
        && X509_set_version(certificate, X509_VERSION_3) == 1
        && copenssl_certificate_set_serial(certificate, claims->serial, sizeof claims->serial)
        && set_subject(certificate, subject)
        && X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1
        && ASN1_TIME_set(X509_getm_notBefore(certificate), (time_t)claims->not_before) != NULL
        && ASN1_TIME_set(X509_getm_notAfter(certificate), (time_t)claims->not_after) != NULL
        && X509_set_pubkey(certificate, (EVP_PKEY *)key) == 1
        && copenssl_certificate_extend(certificate, issuer, NID_subject_key_identifier, "hash")
        && copenssl_certificate_extend(certificate, issuer, NID_authority_key_identifier, "keyid:always")
        && copenssl_certificate_extend(certificate, issuer, NID_basic_constraints, "critical,CA:FALSE")
        && copenssl_certificate_extend(certificate, issuer, NID_key_usage, "critical,digitalSignature")
        && copenssl_certificate_extend(certificate, issuer, NID_ext_key_usage, "clientAuth")
        && (claims->alternatives == NULL || copenssl_certificate_extend(certificate, issuer, NID_subject_alt_name, claims->alternatives))
        && X509_sign(certificate, (EVP_PKEY *)issuer_key, EVP_sha256()) > 0) {
        output = BIO_new(BIO_s_mem());
        int complete = output != NULL && PEM_write_bio_X509(output, certificate) == 1;
        written = copenssl_take(output, complete, pem, capacity);
    }
    BIO_free(input);
    X509_free(issuer);
    X509_free(certificate);
    ERR_clear_error();
    return written;
}

size_t copenssl_certificate_der(const char *pem, size_t count, size_t index, uint8_t *der, size_t capacity) {
    STACK_OF(X509) *all = read_authorities(pem, count);
    size_t written = 0;
    if (all != NULL && index < (size_t)sk_X509_num(all)) {
        unsigned char *output = NULL;
        int length = i2d_X509(sk_X509_value(all, (int)index), &output);
        if (length > 0 && (size_t)length <= capacity) {
            memcpy(der, output, (size_t)length);
            written = (size_t)length;
        }
        OPENSSL_free(output);
    }
    free_all(all);
    ERR_clear_error();
    return written;
}

size_t copenssl_ec_sign_der(const copenssl_key *key, const uint8_t *digest, size_t digest_count, uint8_t *signature, size_t capacity) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, (EVP_PKEY *)key, NULL);
    size_t count = capacity;
    if (context == NULL || EVP_PKEY_sign_init(context) != 1 || EVP_PKEY_sign(context, signature, &count, digest, digest_count) != 1) {
        count = 0;
    }
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return count;
}

int copenssl_ec_verify_der(const copenssl_key *key, const uint8_t *digest, size_t digest_count, const uint8_t *signature, size_t count) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, (EVP_PKEY *)key, NULL);
    int verified = context != NULL && EVP_PKEY_verify_init(context) == 1
        && EVP_PKEY_verify(context, signature, count, digest, digest_count) == 1;
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return verified;
}
