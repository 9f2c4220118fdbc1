/// Why a body in chunks was rejected. The bytes decoded before the error must not become visible.
package enum ChunkError: Error, Hashable, Sendable {
    /// A chunk header, a line end or the end of the body is malformed.
    case malformed
    /// A trailer is not a valid field, was not announced or is repeated, or the trailers are too long.
    case malformedTrailer
    /// A signature does not match. The mismatch has no canonical request. `chunk` counts from 1; the trailers count as the last chunk.
    case signatureMismatch(chunk: Int, SignatureMismatch)
    /// An announced trailer is missing; its name.
    case missingTrailer(String)
    /// A chunk other than the last is smaller than 8 KiB. `chunk` is the number of the chunk after it, from 1.
    case chunkTooSmall(chunk: Int, size: Int)
    /// The chunks contain more or fewer bytes than the request declared.
    case decodedLength(declared: Int, provided: Int)
    /// The body ended before the final chunk.
    case incomplete
}
