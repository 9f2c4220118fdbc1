/// A running message digest: a plain value without references, so it can be stored, copied and moved.
///
/// MD5 is RFC 1321; the SHA family is FIPS 180-4.
package protocol Digest: Sendable {
    /// The length of the digest in bytes.
    static var byteCount: Int { get }

    /// Creates the digest of an empty message.
    init()

    /// Appends bytes to the message.
    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// Returns the digest of all bytes appended so far, ``byteCount`` bytes long. The state stays usable.
    func finalize() -> [UInt8]
}

// Inlinable, so that callers in other modules avoid a generic call.
extension Digest {
    /// Appends bytes to the message.
    @inlinable
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Appends the UTF-8 bytes of a text to the message.
    @inlinable
    package mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
    }

    /// Returns the digest of one message.
    @inlinable
    package static func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var digest = Self()
        digest.update(bytes)
        return digest.finalize()
    }

    /// Returns the digest of one message.
    @inlinable
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = Self()
        digest.update(bytes)
        return digest.finalize()
    }

    /// Returns the digest of the UTF-8 bytes of a text.
    @inlinable
    package static func hash(_ text: String) -> [UInt8] {
        var digest = Self()
        digest.update(text)
        return digest.finalize()
    }
}
