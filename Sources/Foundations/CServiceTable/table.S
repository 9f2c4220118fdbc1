// Puts the table of services into the executable's read-only data. The system loads it when it is first read.
// `refresh.py` generates table.inc, which has the digest of the table: a build does not watch the file that the assembler includes.

#if defined(__APPLE__)
#define SYMBOL(name) _##name
#define LOCAL(name) L##name
    .section __TEXT,__const
#else
#define SYMBOL(name) name
#define LOCAL(name) .L##name
    .section .rodata
#endif

    .p2align 2
    .globl SYMBOL(cservice_table_length)
SYMBOL(cservice_table_length):
    .long LOCAL(end) - LOCAL(start)

    .globl SYMBOL(cservice_table_start)
SYMBOL(cservice_table_start):
LOCAL(start):
#include "table.inc"
LOCAL(end):

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
