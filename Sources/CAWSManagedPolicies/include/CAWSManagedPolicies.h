// The policies that AWS manages: the files of `policies`, and an index by path and name. `refresh.py` refreshes both.

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
    /// The policy's JSON file, without a zero at the end.
    const uint8_t *file;
    size_t file_count;
};

/// Returns the number of policies.
size_t caws_managed_policies_count(void);

/// Returns the policy at a place below the count. The policies are in the order of the bytes of path and name.
struct caws_managed_policy caws_managed_policy_at(size_t place);
