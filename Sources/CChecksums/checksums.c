#include "checksums.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define ON_X86(...) __VA_ARGS__
#else
#define ON_X86(...)
#endif

/* Every table is for the reflected polynomial. Row k holds the effect of a byte that k more bytes follow, so that eight
   table reads consume eight bytes ("slicing by 8"). */
static uint32_t crc32_table[8][256];
static uint32_t crc32c_table[8][256];
static uint64_t crc64nvme_table[8][256];

ON_X86(static int has_crc32c_instruction;)

#define FILL(type, table, polynomial)                                                            \
    for (unsigned byte = 0; byte < 256; byte++) {                                                \
        type value = byte;                                                                       \
        for (int bit = 0; bit < 8; bit++) value = (value & 1) ? (value >> 1) ^ (polynomial) : value >> 1; \
        table[0][byte] = value;                                                                  \
    }                                                                                            \
    for (int row = 1; row < 8; row++)                                                            \
        for (unsigned byte = 0; byte < 256; byte++)                                              \
            table[row][byte] = (table[row - 1][byte] >> 8) ^ table[0][table[row - 1][byte] & 0xff];

/* Runs before main, while there is one thread, so that readers need no lock. */
__attribute__((constructor)) static void prepare(void) {
    FILL(uint32_t, crc32_table, 0xEDB88320u)
    FILL(uint32_t, crc32c_table, 0x82F63B78u)
    FILL(uint64_t, crc64nvme_table, 0x9A6C9329AC4BC9B5u)
    ON_X86(__builtin_cpu_init(); has_crc32c_instruction = __builtin_cpu_supports("sse4.2") != 0;)
}

static uint64_t read_little_endian(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static uint64_t slice_by_8_narrow(const uint32_t table[8][256], uint32_t state, uint64_t word) {
    word ^= state;
    return table[7][word & 0xff] ^ table[6][word >> 8 & 0xff] ^ table[5][word >> 16 & 0xff] ^ table[4][word >> 24 & 0xff]
         ^ table[3][word >> 32 & 0xff] ^ table[2][word >> 40 & 0xff] ^ table[1][word >> 48 & 0xff] ^ table[0][word >> 56];
}

static uint32_t crc_by_table(const uint32_t table[8][256], uint32_t crc, const uint8_t *next, size_t length) {
    uint32_t state = ~crc;
    for (; length >= 8; length -= 8, next += 8) state = (uint32_t)slice_by_8_narrow(table, state, read_little_endian(next));
    for (; length > 0; length--, next++) state = (state >> 8) ^ table[0][(state ^ *next) & 0xff];
    return ~state;
}

uint32_t checksums_crc32(uint32_t crc, const void *bytes, size_t length) {
    return crc_by_table(crc32_table, crc, bytes, length);
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t crc32c_by_instruction(uint32_t crc, const uint8_t *next, size_t length) {
    uint64_t state = (uint32_t)~crc;
    for (; length >= 8; length -= 8, next += 8) state = _mm_crc32_u64(state, read_little_endian(next));
    for (; length > 0; length--, next++) state = _mm_crc32_u8((uint32_t)state, *next);
    return ~(uint32_t)state;
}
#endif

uint32_t checksums_crc32c(uint32_t crc, const void *bytes, size_t length) {
    ON_X86(if (has_crc32c_instruction) return crc32c_by_instruction(crc, bytes, length);)
    return crc_by_table(crc32c_table, crc, bytes, length);
}

uint64_t checksums_crc64nvme(uint64_t crc, const void *bytes, size_t length) {
    const uint8_t *next = bytes;
    uint64_t state = ~crc;
    for (; length >= 8; length -= 8, next += 8) {
        uint64_t word = read_little_endian(next) ^ state;
        state = crc64nvme_table[7][word & 0xff] ^ crc64nvme_table[6][word >> 8 & 0xff]
              ^ crc64nvme_table[5][word >> 16 & 0xff] ^ crc64nvme_table[4][word >> 24 & 0xff]
              ^ crc64nvme_table[3][word >> 32 & 0xff] ^ crc64nvme_table[2][word >> 40 & 0xff]
              ^ crc64nvme_table[1][word >> 48 & 0xff] ^ crc64nvme_table[0][word >> 56];
    }
    for (; length > 0; length--, next++) state = (state >> 8) ^ crc64nvme_table[0][(state ^ *next) & 0xff];
    return ~state;
}
