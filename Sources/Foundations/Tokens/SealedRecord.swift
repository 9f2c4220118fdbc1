package import Cryptography
import WireFormats

/// The reason why a text could not be opened as a sealed record.
package enum SealedRecordError: Error, Equatable {
    /// The text is not base 64, too short, or of an unknown version.
    case malformed
    /// The record was changed, or sealed under another key, generation or context.
    case notAuthentic
}

/// The secret that seals records: a key and its generation. The generation is authenticated with every record, so that a new generation
/// invalidates all earlier records, except those that the key's `earlier` keys sealed.
package struct SealingKey: Sendable {
    fileprivate let cipher: AESGCM
    fileprivate let generation: [UInt8]
    /// Four bytes that tell the keys apart, which each record names.
    fileprivate let mark: [UInt8]
    private let earlier: [SealingKey]
    fileprivate let use: KeyUse?

    /// Creates a sealing key.
    /// - Parameters:
    ///   - key: 32 random bytes.
    ///   - generation: at most 255 bytes; opening needs the same value as sealing.
    ///   - earlier: keys that open records and no longer seal any.
    ///   - use: records that the key seals.
    /// - Throws: ``CryptographyError/invalidKey`` for other lengths.
    package init(key: [UInt8], generation: [UInt8], earlier: [SealingKey] = [], use: KeyUse? = nil) throws(CryptographyError) {
        guard generation.count <= 255 else { throw .invalidKey }
        cipher = try AESGCM(key: key)
        self.generation = generation
        mark = Array(SHA256.hash(key + generation).prefix(Self.markLength))
        self.earlier = earlier
        self.use = use
    }

    fileprivate static let markLength = 4

    /// Returns this key or the earlier one that a record names.
    fileprivate func key(marked mark: ArraySlice<UInt8>) -> SealingKey? {
        mark.elementsEqual(self.mark) ? self : earlier.last { mark.elementsEqual($0.mark) }
    }

    fileprivate func authenticated(version: UInt8, context: [UInt8]) -> [UInt8] {
        // The length prefix separates generation and context.
        [version, UInt8(truncatingIfNeeded: generation.count)] + generation + context
    }
}

/// A record that its holder can neither read nor change: base64 of a version byte, the mark of the key and AES-256-GCM (nonce, ciphertext,
/// tag).
package enum SealedRecord {
    private static let version: UInt8 = 2

    /// Seals a record. Sealing the same record twice gives different texts.
    /// - Parameter context: the purpose of the record, at most a few bytes. It is authenticated but not stored; opening needs the same
    ///   value.
    /// - Throws: ``CryptographyError/noEntropy`` or ``CryptographyError/operationFailed``.
    package static func seal(
        _ plaintext: [UInt8], key: SealingKey, context: [UInt8] = []
    ) throws(CryptographyError) -> String {
        try sealedBytes(plaintext, key: key, context: context).base64
    }

    /// Seals a record and returns the bytes before base 64.
    package static func sealedBytes(_ plaintext: [UInt8], key: SealingKey, context: [UInt8] = []) throws(CryptographyError) -> [UInt8] {
        key.use?.note()
        return [version] + key.mark + (try key.cipher.seal(plaintext, context: key.authenticated(version: version, context: context)))
    }

    /// Opens a record that was sealed under the same key, generation and context.
    package static func open(
        _ text: String, key: SealingKey, context: [UInt8] = []
    ) throws(SealedRecordError) -> [UInt8] {
        guard let bytes = [UInt8](base64: text) else { throw .malformed }
        return try open(bytes, key: key, context: context)
    }

    /// Opens a sealed record given as bytes instead of base 64.
    package static func open(_ bytes: [UInt8], key: SealingKey, context: [UInt8] = []) throws(SealedRecordError) -> [UInt8] {
        let head = 1 + SealingKey.markLength
        guard bytes.first == version, bytes.count >= head + AESGCM.overhead else { throw .malformed }
        guard let key = key.key(marked: bytes[1..<head]) else { throw .notAuthentic }
        do throws(CryptographyError) {
            return try key.cipher.open(
                Array(bytes.dropFirst(head)), context: key.authenticated(version: version, context: context))
        } catch {
            throw .notAuthentic
        }
    }
}
