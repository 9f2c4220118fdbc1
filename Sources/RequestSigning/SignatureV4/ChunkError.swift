/// Why a body in chunks was refused. What was decoded before it must not become visible.
package enum ChunkError: Error, Hashable, Sendable {
    /// A chunk header, a line end or the end of the body that is not as it must be.
    case malformed
    /// A trailer that is no field, was not announced, came twice, or trailers that are too long.
    case malformedTrailer
    /// A signature that does not match; `chunk` counts from 1, and the trailers come after the last chunk.
    case signatureMismatch(chunk: Int, stringToSign: String, signatureProvided: String)
    /// An announced trailer did not come; its name.
    case missingTrailer(String)
    /// A chunk other than the last has less than 8 KiB; `chunk` counts from 1.
    case chunkTooSmall(chunk: Int, size: Int)
    /// The chunks hold more or fewer bytes than the request declared.
    case decodedLength(declared: Int)
    /// The body ended before its end was marked.
    case incomplete
}
