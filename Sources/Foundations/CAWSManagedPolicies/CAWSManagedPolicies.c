#include "CAWSManagedPolicies.h"

/// What `entry` in policies.S writes; places are distances from `caws_policies_start`.
struct entry {
    uint32_t path_and_name;
    uint32_t path_and_name_count;
    uint32_t version;
    uint32_t created;
    uint32_t updated;
};

/// What `group` in policies.S writes; the place is a distance from `caws_policies_documents`.
struct group {
    uint32_t compressed;
    uint32_t compressed_count;
    uint32_t count;
};

extern const uint8_t caws_policies_start[];
extern const uint32_t caws_policies_count;
extern const struct entry caws_policies_entries[];
extern const struct group caws_policies_groups[];
extern const uint32_t caws_policies_group_size;
extern const uint8_t caws_policies_documents[];

size_t caws_managed_policies_count(void) { return caws_policies_count; }

struct caws_managed_policy caws_managed_policy_at(size_t place) {
    const struct entry *entry = &caws_policies_entries[place];
    return (struct caws_managed_policy){
        .path_and_name = caws_policies_start + entry->path_and_name,
        .path_and_name_count = entry->path_and_name_count,
        .version = entry->version,
        .created = entry->created,
        .updated = entry->updated,
    };
}

struct caws_managed_policy_documents caws_managed_policy_documents_at(size_t place) {
    const struct group *group = &caws_policies_groups[place / caws_policies_group_size];
    return (struct caws_managed_policy_documents){
        .compressed = caws_policies_documents + group->compressed,
        .compressed_count = group->compressed_count,
        .count = group->count,
        .line = place % caws_policies_group_size,
    };
}
