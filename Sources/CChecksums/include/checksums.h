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

#endif
