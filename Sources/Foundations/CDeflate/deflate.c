#include "CDeflate.h"

#include <limits.h>
#include <stdlib.h>
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

struct cdeflate_gzip {
    z_stream stream;
};

cdeflate_gzip *cdeflate_gzip_begin(void) {
    cdeflate_gzip *gzip = calloc(1, sizeof *gzip);
    if (!gzip) return NULL;
    if (deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK) return gzip;
    free(gzip);
    return NULL;
}

void cdeflate_gzip_add(cdeflate_gzip *gzip, const void *input, size_t count) {
    gzip->stream.next_in = (Bytef *)input;
    gzip->stream.avail_in = (uInt)count;
}

size_t cdeflate_gzip_take(cdeflate_gzip *gzip, int finish, uint8_t *output, size_t capacity) {
    gzip->stream.next_out = output;
    gzip->stream.avail_out = (uInt)capacity;
    deflate(&gzip->stream, finish ? Z_FINISH : Z_NO_FLUSH);
    return capacity - gzip->stream.avail_out;
}

void cdeflate_gzip_end(cdeflate_gzip *gzip) {
    if (!gzip) return;
    deflateEnd(&gzip->stream);
    free(gzip);
}

cdeflate_gzip *cdeflate_gunzip_begin(void) {
    cdeflate_gzip *gzip = calloc(1, sizeof *gzip);
    if (!gzip) return NULL;
    if (inflateInit2(&gzip->stream, GZIP) == Z_OK) return gzip;
    free(gzip);
    return NULL;
}

long cdeflate_gunzip_take(
    cdeflate_gzip *gzip, const uint8_t *input, size_t count, uint8_t *output, size_t capacity, size_t *used, int *is_at_end) {
    z_stream *stream = &gzip->stream;
    if (count > INT_MAX || capacity > INT_MAX) return -1;
    stream->next_in = (Bytef *)input;
    stream->avail_in = (uInt)count;
    stream->next_out = output;
    stream->avail_out = (uInt)capacity;
    int result = inflate(stream, Z_NO_FLUSH);
    *used = count - stream->avail_in;
    *is_at_end = result == Z_STREAM_END;
    // Z_BUF_ERROR only means that there was no input or no room.
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) return -1;
    return (long)(capacity - stream->avail_out);
}

void cdeflate_gunzip_end(cdeflate_gzip *gzip) {
    if (!gzip) return;
    inflateEnd(&gzip->stream);
    free(gzip);
}
