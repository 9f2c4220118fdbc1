import WireFormats

/// A cache of parsed `Authorization` headers, without their signatures. A client's header is the same all day except for its signature.
///
/// Entries do not depend on the signature, and the same text always has the same meaning, so no entry is ever stale.
package final class AuthorizationCache: Sendable {
    final class Entry: Sendable {
        fileprivate let text: [UInt8]
        let accessKey: String
        let scope: CredentialScope
        let signedHeaders: [String]
        /// The day of the scope, in days since 1970.
        let day: Int64

        fileprivate init(_ presented: SignatureV4.Presented, text: UnsafeBufferPointer<UInt8>) {
            self.text = Array(text)
            accessKey = presented.accessKey
            scope = presented.scope
            signedHeaders = presented.signedHeaders
            day = presented.timestamp.day
        }
    }

    /// The length of a signature: a SHA-256 in hexadecimal.
    private static let signatureLength = 64

    private let entries: SlotCache<Entry>

    /// Creates an empty cache.
    /// - Parameter capacity: the number of entries.
    package init(capacity: Int = 512) { entries = SlotCache(capacity: capacity) }

    /// Returns the entry for the part of `authorization` before the signature, if it is cached, and the signature.
    func entry(for authorization: String) -> (entry: Entry, signature: String)? {
        var authorization = authorization
        return authorization.withUTF8 { bytes in
            guard let (text, signature) = Self.split(bytes) else { return nil }
            let found = entries.value(Self.hash(text)) { $0.text.withUnsafeBufferPointer { areEqual($0, text) } }
            guard let found else { return nil }
            return (found, String(decoding: signature, as: UTF8.self))
        }
    }

    /// Stores a parsed header.
    func insert(_ presented: SignatureV4.Presented, from authorization: String) {
        var authorization = authorization
        authorization.withUTF8 { bytes in
            guard let (text, _) = Self.split(bytes) else { return }
            entries.insert(Entry(presented, text: text), Self.hash(text))
        }
    }

    /// Splits a header into the part before the signature and the signature. Returns `nil` if the signature is not at the end or has an
    /// unusual length.
    private static func split(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (text: UnsafeBufferPointer<UInt8>, signature: UnsafeBufferPointer<UInt8>)? {
        let end = bytes.count - signatureLength
        let label: StaticString = "Signature="
        let start = end - label.utf8CodeUnitCount
        guard start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x2C,
            label.withUTF8Buffer({ areEqual($0, UnsafeBufferPointer(rebasing: bytes[start..<end])) }),
            bytes.place(of: 0x2C, from: end) == bytes.count, bytes.place(of: 0x20, from: end) == bytes.count
        else { return nil }
        return (UnsafeBufferPointer(rebasing: bytes[..<end]), UnsafeBufferPointer(rebasing: bytes[end...]))
    }

    private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> SlotHash {
        var hash = SlotHash()
        hash.combine(UnsafeRawBufferPointer(text))
        return hash
    }
}

/// Returns whether two buffers contain the same bytes, in a third of the time of `Sequence.elementsEqual`.
private func areEqual(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in 0..<a.count { difference |= a[index] ^ b[index] }
    return difference == 0
}
