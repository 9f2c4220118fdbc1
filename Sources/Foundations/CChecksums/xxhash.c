/* XXH64 and XXH3 without seed, as "xxHash fast digest algorithm" (doc/xxhash_spec.md of Cyan4973/xxHash, version 0.2.0)
   describes them. The names of the steps are those of that text. */
#include "checksums.h"
#include "little_endian.h"

#include <string.h>

static const uint64_t prime32_1 = 0x9E3779B1u;
static const uint64_t prime32_2 = 0x85EBCA77u;
static const uint64_t prime32_3 = 0xC2B2AE3Du;
static const uint64_t prime64_1 = 0x9E3779B185EBCA87u;
static const uint64_t prime64_2 = 0xC2B2AE3D27D4EB4Fu;
static const uint64_t prime64_3 = 0x165667B19E3779F9u;
static const uint64_t prime64_4 = 0x85EBCA77C2B2AE63u;
static const uint64_t prime64_5 = 0x27D4EB2F165667C5u;
static const uint64_t prime_mx1 = 0x165667919E3779F9u;
static const uint64_t prime_mx2 = 0x9FB21C651E98DF25u;

static uint64_t rotate(uint64_t value, int count) { return value << count | value >> (64 - count); }

static uint64_t avalanche_xxh64(uint64_t value) {
    value = (value ^ value >> 33) * prime64_2;
    value = (value ^ value >> 29) * prime64_3;
    return value ^ value >> 32;
}

/* XXH64 */

static uint64_t xxh64_round(uint64_t accumulator, uint64_t lane) {
    return rotate(accumulator + lane * prime64_2, 31) * prime64_1;
}

static void xxh64_stripe(uint64_t lanes[4], const uint8_t *stripe) {
    for (int lane = 0; lane < 4; lane++) lanes[lane] = xxh64_round(lanes[lane], read64(stripe + 8 * lane));
}

checksums_xxh64_state checksums_xxh64_init(void) {
    return (checksums_xxh64_state){.lanes = {prime64_1 + prime64_2, prime64_2, 0, 0 - prime64_1}};
}

void checksums_xxh64_update(checksums_xxh64_state *state, const void *bytes, size_t length) {
    if (length == 0) return;
    const uint8_t *next = bytes;
    size_t held = state->length % 32;
    state->length += length;
    if (held > 0) {
        size_t taken = length < 32 - held ? length : 32 - held;
        memcpy(state->rest + held, next, taken);
        next += taken;
        length -= taken;
        if (held + taken < 32) return;
        xxh64_stripe(state->lanes, state->rest);
    }
    uint64_t lanes[4];
    memcpy(lanes, state->lanes, sizeof lanes);
    for (; length >= 32; next += 32, length -= 32) xxh64_stripe(lanes, next);
    memcpy(state->lanes, lanes, sizeof lanes);
    memcpy(state->rest, next, length);
}

uint64_t checksums_xxh64_value(const checksums_xxh64_state *state) {
    uint64_t value = prime64_5;
    if (state->length >= 32) {
        const uint64_t *lanes = state->lanes;
        value = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) + rotate(lanes[3], 18);
        for (int lane = 0; lane < 4; lane++) value = (value ^ xxh64_round(0, lanes[lane])) * prime64_1 + prime64_4;
    }
    value += state->length;
    const uint8_t *next = state->rest;
    size_t length = state->length % 32;
    for (; length >= 8; next += 8, length -= 8)
        value = rotate(value ^ xxh64_round(0, read64(next)), 27) * prime64_1 + prime64_4;
    if (length >= 4) {
        value = rotate(value ^ read32(next) * prime64_1, 23) * prime64_2 + prime64_3;
        next += 4;
        length -= 4;
    }
    for (; length > 0; next++, length--) value = rotate(value ^ *next * prime64_5, 11) * prime64_1;
    return avalanche_xxh64(value);
}

/* XXH3 */

enum { stripe_length = 64, stripes_per_block = 16, held_length = 256, longest_medium = 240, secret_length = 192 };

/* The default secret. */
static const uint8_t secret[secret_length] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

/* Two words of the secret at this place, combined. */
static uint64_t secret_pair(size_t place) { return read64(secret + place) ^ read64(secret + place + 8); }

static uint64_t avalanche(uint64_t value) {
    value = (value ^ value >> 37) * prime_mx1;
    return value ^ value >> 32;
}

static unsigned __int128 product(uint64_t a, uint64_t b) { return (unsigned __int128)a * b; }

static uint64_t folded_product(uint64_t a, uint64_t b) {
    unsigned __int128 both = product(a, b);
    return (uint64_t)both ^ (uint64_t)(both >> 64);
}

static uint64_t short_64(const uint8_t *input, size_t length) {
    if (length > 8) {
        uint64_t low = secret_pair(24) ^ read64(input);
        uint64_t high = secret_pair(40) ^ read64(input + length - 8);
        return avalanche(length + __builtin_bswap64(low) + high + folded_product(low, high));
    }
    if (length > 3) {
        uint64_t combined = read32(input + length - 4) | (uint64_t)read32(input) << 32;
        uint64_t value = secret_pair(8) ^ combined;
        value = (value ^ rotate(value, 49) ^ rotate(value, 24)) * prime_mx2;
        value = (value ^ ((value >> 35) + length)) * prime_mx2;
        return value ^ value >> 28;
    }
    if (length > 0) {
        uint32_t combined = input[length - 1] | (uint32_t)length << 8 | (uint32_t)input[0] << 16 | (uint32_t)input[length >> 1] << 24;
        return avalanche_xxh64((uint64_t)(read32(secret) ^ read32(secret + 4)) ^ combined);
    }
    return avalanche_xxh64(secret_pair(56));
}

static checksums_xxh128_value short_128(const uint8_t *input, size_t length) {
    if (length > 8) {
        uint64_t first = read64(input);
        uint64_t last = read64(input + length - 8);
        uint64_t mixed = secret_pair(48) ^ last;
        unsigned __int128 both = product(secret_pair(32) ^ first ^ last, prime64_1);
        uint64_t low = (uint64_t)both + ((uint64_t)(length - 1) << 54);
        uint64_t high = (uint64_t)(both >> 64) + (mixed >> 32 << 32) + (uint32_t)mixed * prime32_2;
        low ^= __builtin_bswap64(high);
        both = product(low, prime64_2);
        high = (uint64_t)(both >> 64) + high * prime64_2;
        return (checksums_xxh128_value){.low = avalanche((uint64_t)both), .high = avalanche(high)};
    }
    if (length > 3) {
        uint64_t combined = read32(input) | (uint64_t)read32(input + length - 4) << 32;
        unsigned __int128 both = product(secret_pair(16) ^ combined, prime64_1 + (length << 2));
        uint64_t low = (uint64_t)both;
        uint64_t high = (uint64_t)(both >> 64) + (low << 1);
        low ^= high >> 3;
        low = (low ^ low >> 35) * prime_mx2;
        return (checksums_xxh128_value){.low = low ^ low >> 28, .high = avalanche(high)};
    }
    if (length > 0) {
        uint32_t combined = input[length - 1] | (uint32_t)length << 8 | (uint32_t)input[0] << 16 | (uint32_t)input[length >> 1] << 24;
        uint32_t swapped = __builtin_bswap32(combined);
        swapped = swapped << 13 | swapped >> 19;
        return (checksums_xxh128_value){
            .low = avalanche_xxh64((uint64_t)(read32(secret) ^ read32(secret + 4)) ^ combined),
            .high = avalanche_xxh64((uint64_t)(read32(secret + 8) ^ read32(secret + 12)) ^ swapped),
        };
    }
    return (checksums_xxh128_value){.low = avalanche_xxh64(secret_pair(64)), .high = avalanche_xxh64(secret_pair(80))};
}

static uint64_t mix_step(const uint8_t *data, size_t place) {
    return folded_product(read64(data) ^ read64(secret + place), read64(data + 8) ^ read64(secret + place + 8));
}

static uint64_t medium_64(const uint8_t *input, size_t length) {
    uint64_t sum = length * prime64_1;
    if (length <= 128) {
        for (size_t round = (length - 1) / 32 + 1; round-- > 0;) {
            sum += mix_step(input + 16 * round, 32 * round);
            sum += mix_step(input + length - 16 * round - 16, 32 * round + 16);
        }
        return avalanche(sum);
    }
    for (size_t chunk = 0; chunk < 8; chunk++) sum += mix_step(input + 16 * chunk, 16 * chunk);
    sum = avalanche(sum);
    for (size_t chunk = 8; chunk < length / 16; chunk++) sum += mix_step(input + 16 * chunk, 16 * (chunk - 8) + 3);
    return avalanche(sum + mix_step(input + length - 16, 119));
}

static void mix_two_chunks(uint64_t sums[2], const uint8_t *first, const uint8_t *second, size_t place) {
    sums[0] = (sums[0] + mix_step(first, place)) ^ (read64(second) + read64(second + 8));
    sums[1] = (sums[1] + mix_step(second, place + 16)) ^ (read64(first) + read64(first + 8));
}

static checksums_xxh128_value medium_128(const uint8_t *input, size_t length) {
    uint64_t sums[2] = {length * prime64_1, 0};
    if (length <= 128) {
        for (size_t round = (length - 1) / 32 + 1; round-- > 0;)
            mix_two_chunks(sums, input + 16 * round, input + length - 16 * round - 16, 32 * round);
    } else {
        for (size_t chunk = 0; chunk < 4; chunk++) mix_two_chunks(sums, input + 32 * chunk, input + 32 * chunk + 16, 32 * chunk);
        sums[0] = avalanche(sums[0]);
        sums[1] = avalanche(sums[1]);
        for (size_t chunk = 4; chunk < length / 32; chunk++)
            mix_two_chunks(sums, input + 32 * chunk, input + 32 * chunk + 16, 32 * (chunk - 4) + 3);
        mix_two_chunks(sums, input + length - 16, input + length - 32, 103);
    }
    uint64_t high = sums[0] * prime64_1 + sums[1] * prime64_4 + length * prime64_2;
    return (checksums_xxh128_value){.low = avalanche(sums[0] + sums[1]), .high = 0 - avalanche(high)};
}

static void accumulate(uint64_t lanes[8], const uint8_t *stripe, size_t place) {
    uint64_t data[8], sums[8];
    for (int lane = 0; lane < 8; lane++) data[lane] = read64(stripe + 8 * lane);
    for (int lane = 0; lane < 8; lane++) {
        uint64_t value = data[lane] ^ read64(secret + place + 8 * lane);
        sums[lane] = (value & 0xffffffffu) * (value >> 32);
    }
    for (int lane = 0; lane < 8; lane++) lanes[lane] += sums[lane] + data[lane ^ 1];
}

static void scramble(uint64_t lanes[8]) {
    for (int lane = 0; lane < 8; lane++) {
        uint64_t value = lanes[lane] ^ lanes[lane] >> 47 ^ read64(secret + secret_length - stripe_length + 8 * lane);
        lanes[lane] = value * prime32_1;
    }
}

/* Consumes stripes that more of the input follows, so a full block can be scrambled at once.
   Answers how many stripes of the block at hand are done. */
static uint64_t consume(uint64_t lanes[8], uint64_t done, const uint8_t *input, size_t stripes) {
    for (; stripes > 0; stripes--, input += stripe_length) {
        accumulate(lanes, input, 8 * done);
        if (++done == stripes_per_block) {
            scramble(lanes);
            done = 0;
        }
    }
    return done;
}

checksums_xxh3_state checksums_xxh3_init(void) {
    return (checksums_xxh3_state){
        .lanes = {prime32_3, prime64_1, prime64_2, prime64_3, prime64_4, prime32_2, prime64_5, prime32_1}};
}

/* Holds back at least one byte, and behind it the last stripe consumed: the end of the input needs both. */
void checksums_xxh3_update(checksums_xxh3_state *state, const void *bytes, size_t length) {
    if (length == 0) return;
    const uint8_t *next = bytes;
    state->length += length;
    size_t room = held_length - state->held;
    if (length <= room) {
        memcpy(state->rest + state->held, next, length);
        state->held += length;
        return;
    }
    memcpy(state->rest + state->held, next, room);
    next += room;
    length -= room;
    uint64_t lanes[8];
    memcpy(lanes, state->lanes, sizeof lanes);
    state->stripes = consume(lanes, state->stripes, state->rest, held_length / stripe_length);
    size_t stripes = (length - 1) / stripe_length;
    if (stripes > 0) {
        state->stripes = consume(lanes, state->stripes, next, stripes);
        next += stripes * stripe_length;
        length -= stripes * stripe_length;
        memcpy(state->rest + held_length - stripe_length, next - stripe_length, stripe_length);
    }
    memcpy(state->lanes, lanes, sizeof lanes);
    memcpy(state->rest, next, length);
    state->held = length;
}

/* The accumulators after the last block and the last stripe of an input beyond the medium ones. */
static void finish(const checksums_xxh3_state *state, uint64_t lanes[8]) {
    memcpy(lanes, state->lanes, sizeof state->lanes);
    consume(lanes, state->stripes, state->rest, (state->held - 1) / stripe_length);
    uint8_t last[stripe_length];
    if (state->held >= stripe_length) {
        memcpy(last, state->rest + state->held - stripe_length, stripe_length);
    } else {
        size_t earlier = stripe_length - state->held;
        memcpy(last, state->rest + held_length - earlier, earlier);
        memcpy(last + earlier, state->rest, state->held);
    }
    accumulate(lanes, last, secret_length - 71);
}

static uint64_t final_merge(const uint64_t lanes[8], uint64_t start, size_t place) {
    for (int pair = 0; pair < 4; pair++)
        start += folded_product(
            lanes[2 * pair] ^ read64(secret + place + 16 * pair), lanes[2 * pair + 1] ^ read64(secret + place + 16 * pair + 8));
    return avalanche(start);
}

uint64_t checksums_xxh3_value(const checksums_xxh3_state *state) {
    size_t length = state->length;
    if (length <= 16) return short_64(state->rest, length);
    if (length <= longest_medium) return medium_64(state->rest, length);
    uint64_t lanes[8];
    finish(state, lanes);
    return final_merge(lanes, length * prime64_1, 11);
}

checksums_xxh128_value checksums_xxh3_wide_value(const checksums_xxh3_state *state) {
    size_t length = state->length;
    if (length <= 16) return short_128(state->rest, length);
    if (length <= longest_medium) return medium_128(state->rest, length);
    uint64_t lanes[8];
    finish(state, lanes);
    return (checksums_xxh128_value){
        .low = final_merge(lanes, length * prime64_1, 11),
        .high = final_merge(lanes, ~(length * prime64_2), secret_length - 75),
    };
}
