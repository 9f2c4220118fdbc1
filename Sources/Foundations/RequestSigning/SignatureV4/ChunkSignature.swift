import Cryptography
import WireFormats

/// The chain of signatures over the chunks of a body. Each covers the one before, and the first covers that of the request.
///
/// "Signature calculations for the authorization header: transferring payload in multiple chunks" in the S3 API Reference.
struct ChunkSignature: Sendable {
    private let key: ScopedSigningKey
    private let scope: CredentialScope
    private let timestamp: String
    private var previous: String

    /// - Parameter seed: the verified signature of the request itself.
    init(key: ScopedSigningKey, scope: CredentialScope, timestamp: Timestamp, seed: String) {
        self.key = key
        self.scope = scope
        self.timestamp = timestamp.basic
        previous = seed
    }

    /// Returns the signature of the next chunk, given the SHA-256 of its payload, and the string to sign.
    mutating func next(chunkHash: [UInt8]) -> (signature: String, stringToSign: [UInt8]) {
        var stringToSign = beginning("AWS4-HMAC-SHA256-PAYLOAD")
        stringToSign.append(line: Self.emptyHash)
        stringToSign.append(hexOf: chunkHash)
        return sign(stringToSign)
    }

    /// Returns the signature of the trailers, given their canonical form, and the string to sign.
    mutating func next(trailers: [UInt8]) -> (signature: String, stringToSign: [UInt8]) {
        var stringToSign = beginning("AWS4-HMAC-SHA256-TRAILER")
        stringToSign.append(hexOf: SHA256.hash(trailers))
        return sign(stringToSign)
    }

    private func beginning(_ algorithm: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(320)
        bytes.append(line: algorithm)
        bytes.append(line: timestamp)
        bytes.append(scopeLine: scope)
        bytes.append(line: previous)
        return bytes
    }

    private mutating func sign(_ stringToSign: [UInt8]) -> (signature: String, stringToSign: [UInt8]) {
        previous = key.signature(of: stringToSign)
        return (previous, stringToSign)
    }

    private static let emptyHash = SHA256.hash([UInt8]()).hex
}
