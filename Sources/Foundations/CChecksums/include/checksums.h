#ifndef VIRGA_CHECKSUMS_H
#define VIRGA_CHECKSUMS_H

#include <stddef.h>
#include <stdint.h>

/* Each function continues a cyclic redundancy check over `length` more bytes. A check starts at 0, and what is
   returned is at once the value so far and the state to go on from. */

/* CRC-32 of ISO 3309, as in zlib and gzip. */
uint32_t checksums_crc32(uint32_t crc, const void *bytes, size_t length);

/* CRC-32C (Castagnoli) of RFC 3720 appendix B.4. */
uint32_t checksums_crc32c(uint32_t crc, const void *bytes, size_t length);

/* CRC-64/NVME of the NVM Express base specification, 64-bit data integrity. */
uint64_t checksums_crc64nvme(uint64_t crc, const void *bytes, size_t length);

/* CRC-64/XZ of the .xz file format: the polynomial of ECMA-182, reflected. */
uint64_t checksums_crc64xz(uint64_t crc, const void *bytes, size_t length);

/* XXH64 and XXH3 of the xxHash family, without seed. A state is plain bytes that may be copied and moved freely; asking
   for the value leaves it as it is. */
typedef struct {
    uint64_t lanes[4];
    /* Bytes so far; as many as do not fill a stripe are in `rest`. */
    uint64_t length;
    uint8_t rest[32];
} checksums_xxh64_state;

checksums_xxh64_state checksums_xxh64_init(void);
void checksums_xxh64_update(checksums_xxh64_state *state, const void *bytes, size_t length);
uint64_t checksums_xxh64_value(const checksums_xxh64_state *state);

typedef struct {
    uint64_t lanes[8];
    /* Bytes so far. */
    uint64_t length;
    /* Stripes done of the block at hand. */
    uint64_t stripes;
    /* Bytes in `rest`, from its start. */
    uint64_t held;
    uint8_t rest[256];
} checksums_xxh3_state;

/* 128 bits. */
typedef struct {
    uint64_t low, high;
} checksums_xxh128_value;

/* One state serves both lengths of XXH3. */
checksums_xxh3_state checksums_xxh3_init(void);
void checksums_xxh3_update(checksums_xxh3_state *state, const void *bytes, size_t length);
uint64_t checksums_xxh3_value(const checksums_xxh3_state *state);
checksums_xxh128_value checksums_xxh3_wide_value(const checksums_xxh3_state *state);

#endif
