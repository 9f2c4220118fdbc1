// Puts AWS's managed policies into the executable's read-only data: an index, the names and the compressed documents.
// All places are distances from a start, which need no relocation: the system loads only the pages that a lookup reads.
// `refresh.py` generates index.inc, which uses the macros below, and documents.deflate.

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
.endm

.macro name place, path_and_name
LOCAL(name\place):
    .ascii "\path_and_name"
LOCAL(name_end\place):
.endm

.macro groups policies
    .p2align 2
    .globl SYMBOL(caws_policies_group_size)
SYMBOL(caws_policies_group_size):
    .long \policies
    .globl SYMBOL(caws_policies_groups)
SYMBOL(caws_policies_groups):
.endm

// The layout of `struct group` in CAWSManagedPolicies.c.
.macro group compressed, compressed_count, count
    .long \compressed, \compressed_count, \count
.endm

    .globl SYMBOL(caws_policies_documents)
SYMBOL(caws_policies_documents):
    .incbin "documents.deflate"

    .p2align 2
    .globl SYMBOL(caws_policies_start)
SYMBOL(caws_policies_start):
LOCAL(start):
#include "index.inc"

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
