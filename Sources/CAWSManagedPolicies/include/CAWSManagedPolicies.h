// The policies that AWS manages, packed by `pack.py`; its comment describes the format.

#pragma once

#include <stddef.h>
#include <stdint.h>

/// Returns the packed policies, which lie in the executable's read-only data.
const uint8_t *caws_managed_policies(void);

/// Returns how many bytes they have.
size_t caws_managed_policies_count(void);
