#include "CAWSManagedPolicies.h"

extern const uint8_t caws_policies_begin[];
extern const uint8_t caws_policies_end[];

const uint8_t *caws_managed_policies(void) { return caws_policies_begin; }

size_t caws_managed_policies_count(void) { return (size_t)(caws_policies_end - caws_policies_begin); }
