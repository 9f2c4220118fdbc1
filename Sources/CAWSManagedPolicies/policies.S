// Puts the file policies.bin into the executable as it is.

#if defined(__APPLE__)
#define SYMBOL(name) _##name
    .section __TEXT,__const
#else
#define SYMBOL(name) name
    .section .rodata
#endif

    .p2align 2
    .globl SYMBOL(caws_policies_begin)
SYMBOL(caws_policies_begin):
    .incbin "policies.bin"
    .globl SYMBOL(caws_policies_end)
SYMBOL(caws_policies_end):
    .byte 0

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
