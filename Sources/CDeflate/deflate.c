#include "CDeflate.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

// Negative bits: neither the header nor the checksum of zlib's own format.
#define RAW (-MAX_WBITS)
// Header and checksum of gzip, and of nothing else.
#define GZIP (MAX_WBITS + 16)

size_t cdeflate_bound(size_t count) { return compressBound((uLong)count); }

static int prepare(z_stream *stream, const uint8_t *input, size_t count, uint8_t *output, size_t capacity) {
    if (count > INT_MAX || capacity > INT_MAX) return 0;
    memset(stream, 0, sizeof *stream);
    stream->next_in = (Bytef *)input;
    stream->avail_in = (uInt)count;
    stream->next_out = output;
    stream->avail_out = (uInt)capacity;
    return 1;
}

long cdeflate_compress(const uint8_t *input, size_t count, uint8_t *output, size_t capacity) {
    z_stream stream;
    if (!prepare(&stream, input, count, output, capacity)) return -1;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, RAW, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) return -1;
    long written = deflate(&stream, Z_FINISH) == Z_STREAM_END ? (long)stream.total_out : -1;
    deflateEnd(&stream);
    return written;
}

static long expand(int bits, const uint8_t *input, size_t count, uint8_t *output, size_t capacity) {
    z_stream stream;
    if (!prepare(&stream, input, count, output, capacity)) return -1;
    if (inflateInit2(&stream, bits) != Z_OK) return -1;
    long written = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0 ? (long)stream.total_out : -1;
    inflateEnd(&stream);
    return written;
}

long cdeflate_expand(const uint8_t *input, size_t count, uint8_t *output, size_t capacity) {
    return expand(RAW, input, count, output, capacity);
}

long cdeflate_gunzip(const uint8_t *input, size_t count, uint8_t *output, size_t capacity) {
    return expand(GZIP, input, count, output, capacity);
}
