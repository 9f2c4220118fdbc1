// Raw DEFLATE (RFC 1951), and gzip (RFC 1952) for reading, by zlib; whole texts at once.
#ifndef CDEFLATE_H
#define CDEFLATE_H

#include <stddef.h>
#include <stdint.h>

/// How many bytes a text can become at most.
size_t cdeflate_bound(size_t count);
/// All write into a buffer and answer how many bytes they wrote; -1 where it is too small, or for input that is not one whole stream.
long cdeflate_compress(const uint8_t *input, size_t count, uint8_t *output, size_t capacity);
long cdeflate_expand(const uint8_t *input, size_t count, uint8_t *output, size_t capacity);
/// The same as the last for one member of gzip (RFC 1952), whose checksum must be right.
long cdeflate_gunzip(const uint8_t *input, size_t count, uint8_t *output, size_t capacity);

/// One member of gzip, compressed as its bytes come.
typedef struct cdeflate_gzip cdeflate_gzip;
/// Null where there is no memory.
cdeflate_gzip *cdeflate_gzip_begin(void);
/// What to compress next; the bytes stay with the caller until everything of them has been taken out.
void cdeflate_gzip_add(cdeflate_gzip *stream, const void *input, size_t count);
/// Writes what is ready and answers how many bytes that were; fewer than the capacity where nothing more is.
size_t cdeflate_gzip_take(cdeflate_gzip *stream, int finish, uint8_t *output, size_t capacity);
void cdeflate_gzip_end(cdeflate_gzip *stream);

/// One member of gzip that is decompressed in pieces. Null if there is no memory.
cdeflate_gzip *cdeflate_gunzip_begin(void);
/// Decompresses some of the input. Returns the number of written bytes, or -1 for invalid data.
/// `used` is set to the number of read bytes, `is_at_end` to whether the member is complete and its checksum correct.
long cdeflate_gunzip_take(
    cdeflate_gzip *stream, const uint8_t *input, size_t count, uint8_t *output, size_t capacity, size_t *used, int *is_at_end);
void cdeflate_gunzip_end(cdeflate_gzip *stream);

#endif
