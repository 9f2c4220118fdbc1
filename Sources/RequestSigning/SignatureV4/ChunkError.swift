/// Why a body in chunks was rejected. The bytes decoded before the error must not become visible.
package enum ChunkError: Error, Hashable, Sendable {
    /// A chunk header, a line end or the end of the body is malformed.
    case malformed
    /// A trailer is not a valid field, was not announced or is repeated, or the trailers are too long.
    case malformedTrailer
    /// A signature does not match. `chunk` counts from 1; the trailers count as the chunk after the last.
    case signatureMismatch(chunk: Int, stringToSign: String, signatureProvided: String)
    /// An announced trailer is missing; its name.
    case missingTrailer(String)
    /// A chunk other than the last is smaller than 8 KiB; `chunk` counts from 1.
    case chunkTooSmall(chunk: Int, size: Int)
    /// The chunks contain more or fewer bytes than the request declared.
    case decodedLength(declared: Int)
    /// The body ended before the final chunk.
    case incomplete
}
