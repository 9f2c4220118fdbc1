// The policies that AWS manages: an index by path and name, and the compressed documents. `refresh.py` makes both from `policies`.

#pragma once

#include <stddef.h>
#include <stdint.h>

/// An AWS managed policy in the executable's read-only data.
struct caws_managed_policy {
    /// Path and name, such as `/service-role/AWSLambdaRole`, without a zero at the end.
    const uint8_t *path_and_name;
    size_t path_and_name_count;
    /// The number of the default version.
    uint32_t version;
    /// Seconds since 1970.
    uint32_t created;
    /// Seconds since 1970.
    uint32_t updated;
};

/// The documents of several policies in the executable's read-only data, compressed together.
struct caws_managed_policy_documents {
    /// Raw DEFLATE (RFC 1951) of one JSON document a line.
    const uint8_t *compressed;
    size_t compressed_count;
    /// The number of bytes after decompression.
    size_t count;
    /// The line of the policy, from 0.
    size_t line;
};

/// Returns the number of policies.
size_t caws_managed_policies_count(void);

/// Returns the policy at a place below the count. The policies are in the order of the bytes of path and name.
struct caws_managed_policy caws_managed_policy_at(size_t place);

/// Returns the documents among which is the one of the policy at a place below the count.
struct caws_managed_policy_documents caws_managed_policy_documents_at(size_t place);
