#include "CAWSManagedPolicies.h"

/// What `entry` in policies.S writes; places are distances from `caws_policies_start`.
struct entry {
    uint32_t path_and_name;
    uint32_t path_and_name_count;
    uint32_t version;
    uint32_t created;
    uint32_t updated;
    uint32_t file;
    uint32_t file_count;
};

extern const uint8_t caws_policies_start[];
extern const uint32_t caws_policies_count;
extern const struct entry caws_policies_entries[];

size_t caws_managed_policies_count(void) { return caws_policies_count; }

struct caws_managed_policy caws_managed_policy_at(size_t place) {
    const struct entry *entry = &caws_policies_entries[place];
    return (struct caws_managed_policy){
        .path_and_name = caws_policies_start + entry->path_and_name,
        .path_and_name_count = entry->path_and_name_count,
        .version = entry->version,
        .created = entry->created,
        .updated = entry->updated,
        .file = caws_policies_start + entry->file,
        .file_count = entry->file_count,
    };
}
