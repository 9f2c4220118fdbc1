// What the makers of certificates share.
#pragma once
#include <openssl/x509.h>
#include <stddef.h>
#include <stdint.h>

// Adds an extension in the notation of OpenSSL's configuration files. Returns 1, or 0 on failure.
int copenssl_certificate_extend(X509 *certificate, X509 *issuer, int kind, const char *value);

// Sets the serial number from its big-endian bytes. Returns 1, or 0 on failure.
int copenssl_certificate_set_serial(X509 *certificate, const uint8_t *serial, size_t count);
