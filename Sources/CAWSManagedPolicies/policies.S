// Puts AWS's managed policies into the executable's read-only data: an index, the names and the files of `policies` as they are.
// All places are distances from the start, which need no relocation: the system loads only the pages that a lookup reads.
// `refresh.py` generates index.inc, which uses the four macros below.

#if defined(__APPLE__)
#define SYMBOL(name) _##name
#define LOCAL(name) L##name
    .section __TEXT,__const
#else
#define SYMBOL(name) name
#define LOCAL(name) .L##name
    .section .rodata
#endif

.macro count policies
    .globl SYMBOL(caws_policies_count)
SYMBOL(caws_policies_count):
    .long \policies
    .globl SYMBOL(caws_policies_entries)
SYMBOL(caws_policies_entries):
.endm

// The layout of `struct entry` in CAWSManagedPolicies.c.
.macro entry place, version, created, updated
    .long LOCAL(name\place) - LOCAL(start), LOCAL(name_end\place) - LOCAL(name\place)
    .long \version, \created, \updated
    .long LOCAL(document\place) - LOCAL(start), LOCAL(document_end\place) - LOCAL(document\place)
.endm

.macro name place, path_and_name
LOCAL(name\place):
    .ascii "\path_and_name"
LOCAL(name_end\place):
.endm

.macro document place, policy
LOCAL(document\place):
    .incbin "policies/\policy\().json"
LOCAL(document_end\place):
.endm

    .p2align 2
    .globl SYMBOL(caws_policies_start)
SYMBOL(caws_policies_start):
LOCAL(start):
#include "index.inc"

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
