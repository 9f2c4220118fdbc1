// Contexts of OpenSSL that are ready to sign or to verify with one key.
#pragma once
#include "COpenSSL.h"

#include <openssl/evp.h>

enum use { RSA_SIGNS, RSA_VERIFIES, EC_SIGNS, EC_VERIFIES, USES };

/// Makes a context; NULL when the key is not fit for it.
typedef EVP_PKEY_CTX *prepare(const copenssl_key *key, int scheme, int hash);

/// The context that this thread prepared last for this use, if it was for the same key, scheme and hash; else one made now.
/// It stays the thread's; NULL when there is none.
EVP_PKEY_CTX *copenssl_prepared(enum use use, const copenssl_key *key, int scheme, int hash, prepare *prepare);
