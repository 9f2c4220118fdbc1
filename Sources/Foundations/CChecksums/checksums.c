#include "checksums.h"
#include "little_endian.h"

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
static uint64_t crc64xz_table[8][256];

ON_X86(static int has_crc32c_instruction;)

/* Multiplying by x^n modulo the polynomial moves a remainder past n bits of the message. Each pair moves the first and the
   second half of sixteen bytes, past 64 and past 16 bytes. (Intel, "Fast CRC Computation for Generic Polynomials Using
   PCLMULQDQ Instruction".) */
ON_X86(
    struct folding {
        uint64_t past64[2];
        uint64_t past16[2];
    };
    static struct folding crc32_folding;
    static struct folding crc64nvme_folding;
    static struct folding crc64xz_folding;
    static int has_carryless_product;
)

#define FILL(type, table, polynomial)                                                            \
    for (unsigned byte = 0; byte < 256; byte++) {                                                \
        type value = byte;                                                                       \
        for (int bit = 0; bit < 8; bit++) value = (value & 1) ? (value >> 1) ^ (polynomial) : value >> 1; \
        table[0][byte] = value;                                                                  \
    }                                                                                            \
    for (int row = 1; row < 8; row++)                                                            \
        for (unsigned byte = 0; byte < 256; byte++)                                              \
            table[row][byte] = (table[row - 1][byte] >> 8) ^ table[0][table[row - 1][byte] & 0xff];

#if defined(__x86_64__)
/* x^exponent modulo a reflected polynomial, its coefficient of x^0 in the highest of 64 bits. */
static uint64_t power(uint64_t polynomial, unsigned degree, unsigned exponent) {
    uint64_t value = 1ull << (degree - 1);
    for (; exponent > 0; exponent--) value = (value & 1) ? (value >> 1) ^ polynomial : value >> 1;
    return value << (64 - degree);
}

/* A product of reflected operands comes out one bit low, hence the exponents below the distances. */
static struct folding folding(uint64_t polynomial, unsigned degree) {
    return (struct folding){
        .past64 = {power(polynomial, degree, 512 + 63), power(polynomial, degree, 512 - 1)},
        .past16 = {power(polynomial, degree, 128 + 63), power(polynomial, degree, 128 - 1)},
    };
}
#endif

/* Runs before main, while there is one thread, so that readers need no lock. */
__attribute__((constructor)) static void prepare(void) {
    FILL(uint32_t, crc32_table, 0xEDB88320u)
    FILL(uint32_t, crc32c_table, 0x82F63B78u)
    FILL(uint64_t, crc64nvme_table, 0x9A6C9329AC4BC9B5u)
    FILL(uint64_t, crc64xz_table, 0xC96C5795D7870F42u)
    ON_X86(
        crc32_folding = folding(0xEDB88320u, 32);
        crc64nvme_folding = folding(0x9A6C9329AC4BC9B5u, 64);
        crc64xz_folding = folding(0xC96C5795D7870F42u, 64);
        __builtin_cpu_init();
        has_crc32c_instruction = __builtin_cpu_supports("sse4.2") != 0;
        has_carryless_product = __builtin_cpu_supports("pclmul") != 0;
    )
}

static uint64_t slice_by_8_narrow(const uint32_t table[8][256], uint32_t state, uint64_t word) {
    word ^= state;
    return table[7][word & 0xff] ^ table[6][word >> 8 & 0xff] ^ table[5][word >> 16 & 0xff] ^ table[4][word >> 24 & 0xff]
         ^ table[3][word >> 32 & 0xff] ^ table[2][word >> 40 & 0xff] ^ table[1][word >> 48 & 0xff] ^ table[0][word >> 56];
}

static uint32_t narrow_by_table(const uint32_t table[8][256], uint32_t state, const uint8_t *next, size_t length) {
    for (; length >= 8; length -= 8, next += 8) state = (uint32_t)slice_by_8_narrow(table, state, read64(next));
    for (; length > 0; length--, next++) state = (state >> 8) ^ table[0][(state ^ *next) & 0xff];
    return state;
}

static uint64_t wide_by_table(const uint64_t table[8][256], uint64_t state, const uint8_t *next, size_t length) {
    for (; length >= 8; length -= 8, next += 8) {
        uint64_t word = read64(next) ^ state;
        state = table[7][word & 0xff] ^ table[6][word >> 8 & 0xff] ^ table[5][word >> 16 & 0xff] ^ table[4][word >> 24 & 0xff]
              ^ table[3][word >> 32 & 0xff] ^ table[2][word >> 40 & 0xff] ^ table[1][word >> 48 & 0xff] ^ table[0][word >> 56];
    }
    for (; length > 0; length--, next++) state = (state >> 8) ^ table[0][(state ^ *next) & 0xff];
    return state;
}

#if defined(__x86_64__)
/* Below this the tables are as fast. */
static const size_t least_folded = 128;

#define LOAD(place) _mm_loadu_si128((const __m128i *)(place))
#define FOLD(value, pair) \
    _mm_xor_si128(_mm_clmulepi64_si128(value, pair, 0x00), _mm_clmulepi64_si128(value, pair, 0x11))

/* Shrinks as many whole blocks of 16 bytes as there are, at least four, into `rest`: sixteen bytes that leave, from the
   state 0, the state that the blocks leave from `state`. Answers how many bytes that were. */
__attribute__((target("pclmul"))) static size_t fold(
    const struct folding *folding, uint64_t state, const uint8_t *next, size_t length, uint8_t rest[16]) {
    const uint8_t *start = next;
    __m128i lane[4];
    for (int index = 0; index < 4; index++) lane[index] = LOAD(next + 16 * index);
    lane[0] = _mm_xor_si128(lane[0], _mm_cvtsi64_si128((int64_t)state));
    __m128i pair = LOAD(folding->past64);
    for (next += 64, length -= 64; length >= 64; next += 64, length -= 64)
        for (int index = 0; index < 4; index++) lane[index] = _mm_xor_si128(FOLD(lane[index], pair), LOAD(next + 16 * index));
    pair = LOAD(folding->past16);
    __m128i all = lane[0];
    for (int index = 1; index < 4; index++) all = _mm_xor_si128(FOLD(all, pair), lane[index]);
    for (; length >= 16; next += 16, length -= 16) all = _mm_xor_si128(FOLD(all, pair), LOAD(next));
    _mm_storeu_si128((__m128i *)rest, all);
    return (size_t)(next - start);
}
#endif

uint32_t checksums_crc32(uint32_t crc, const void *bytes, size_t length) {
    const uint8_t *next = bytes;
    uint32_t state = ~crc;
    ON_X86(
        if (has_carryless_product && length >= least_folded) {
            uint8_t rest[16];
            size_t folded = fold(&crc32_folding, state, next, length, rest);
            state = narrow_by_table(crc32_table, 0, rest, sizeof rest);
            next += folded;
            length -= folded;
        }
    )
    return ~narrow_by_table(crc32_table, state, next, length);
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t crc32c_by_instruction(uint32_t crc, const uint8_t *next, size_t length) {
    uint64_t state = (uint32_t)~crc;
    for (; length >= 8; length -= 8, next += 8) state = _mm_crc32_u64(state, read64(next));
    for (; length > 0; length--, next++) state = _mm_crc32_u8((uint32_t)state, *next);
    return ~(uint32_t)state;
}
#endif

uint32_t checksums_crc32c(uint32_t crc, const void *bytes, size_t length) {
    ON_X86(if (has_crc32c_instruction) return crc32c_by_instruction(crc, bytes, length);)
    return ~narrow_by_table(crc32c_table, ~crc, bytes, length);
}

#if defined(__x86_64__)
#define WIDE(name)                                                                   \
    uint64_t checksums_##name(uint64_t crc, const void *bytes, size_t length) {      \
        const uint8_t *next = bytes;                                                 \
        uint64_t state = ~crc;                                                       \
        if (has_carryless_product && length >= least_folded) {                       \
            uint8_t rest[16];                                                        \
            size_t folded = fold(&name##_folding, state, next, length, rest);        \
            state = wide_by_table(name##_table, 0, rest, sizeof rest);               \
            next += folded;                                                          \
            length -= folded;                                                        \
        }                                                                            \
        return ~wide_by_table(name##_table, state, next, length);                    \
    }
#else
#define WIDE(name)                                                                   \
    uint64_t checksums_##name(uint64_t crc, const void *bytes, size_t length) {      \
        return ~wide_by_table(name##_table, ~crc, bytes, length);                    \
    }
#endif

WIDE(crc64nvme)
WIDE(crc64xz)
