package import Cryptography
package import WireFormats

/// The reason why a text could not be decrypted.
package enum JSONWebEncryptionError: Error, Equatable {
    /// More than ``JSONWebEncryption/longest`` bytes.
    case tooLong
    /// Not five parts separated by periods (RFC 7516 section 7.1).
    case notFiveParts
    /// A part is not unpadded, canonical base64url.
    case invalidEncoding
    /// The header is not a JSON object, or a member that the algorithm needs is missing or malformed.
    case invalidHeader
    /// The `alg` is not a ``KeyManagementAlgorithm``.
    case unsupportedAlgorithm
    /// The `enc` is not a ``ContentEncryption``.
    case unsupportedEncryption
    /// The plaintext is compressed (`zip`). Small texts can expand to very large ones.
    case compressed
    /// The header requires extensions with `crit`; none is supported (RFC 7516 section 4.1.13).
    case criticalExtension
    /// None of the keys decrypts the text. The error does not say why, since that would help to guess the plaintext.
    case failed

    /// The reason in a sentence for the developer whose program sent the text.
    /// - Parameter subject: what the text is, with an article, such as "The request object".
    package func explanation(of subject: String) -> String {
        func list<Value: CaseIterable & RawRepresentable<String>>(_ type: Value.Type) -> String {
            Value.allCases.map(\.rawValue).joined(separator: ", ")
        }
        return switch self {
        case .tooLong, .notFiveParts, .invalidEncoding, .invalidHeader: "\(subject) is not a well-formed encrypted token."
        case .unsupportedAlgorithm:
            "\(subject) is encrypted with an alg that is not supported. Supported: \(list(KeyManagementAlgorithm.self))."
        case .unsupportedEncryption:
            "\(subject) is encrypted with an enc that is not supported. Supported: \(list(ContentEncryption.self))."
        case .compressed: "\(subject) is compressed (zip), which is not supported."
        case .criticalExtension: "\(subject) has critical header members (crit), of which none is supported."
        case .failed: "\(subject) is not encrypted for the issuer."
        }
    }
}

/// An encrypted token in JWE compact serialization (RFC 7516 section 7.1), parsed but not yet decrypted.
package struct JSONWebEncryption: Sendable {
    /// The length of the longest accepted text, in bytes: that of an encrypted ``JSONWebToken`` of full length.
    package static let longest = 30_000

    /// All members of the header.
    package let header: JSONObject
    /// The `alg` of the header.
    package let algorithm: KeyManagementAlgorithm
    /// The `enc` of the header.
    package let encryption: ContentEncryption
    private let encodedHeader: [UInt8]
    private let encryptedKey: [UInt8]
    private let vector: [UInt8]
    private let ciphertext: [UInt8]
    private let tag: [UInt8]

    /// Returns whether a text has the form of an encrypted token rather than that of a signed one.
    package static func isEncrypted(_ text: String) -> Bool { text.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 4 }

    /// Parses a token strictly.
    /// - Throws: the first ``JSONWebEncryptionError`` that applies, except the last.
    package init(parsing text: String) throws(JSONWebEncryptionError) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        let texts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard texts.count == 5 else { throw .notFiveParts }
        let parts = texts.compactMap { [UInt8](base64url: $0) }
        guard parts.count == 5 else { throw .invalidEncoding }
        guard let header = JSONObject(parsing: parts[0]), let name = header["alg"]?.stringValue,
            let content = header["enc"]?.stringValue
        else { throw .invalidHeader }
        guard let algorithm = KeyManagementAlgorithm(rawValue: name) else { throw .unsupportedAlgorithm }
        guard let encryption = ContentEncryption(rawValue: content) else { throw .unsupportedEncryption }
        guard header["zip"] == nil else { throw .compressed }
        guard header["crit"] == nil else { throw .criticalExtension }
        self.header = header
        self.algorithm = algorithm
        self.encryption = encryption
        encodedHeader = Array(texts[0].utf8)
        (encryptedKey, vector, ciphertext, tag) = (parts[1], parts[2], parts[3], parts[4])
    }

    /// Returns the plaintext.
    /// - Parameter keys: the keys of the receiver. A `kid` in the header selects one.
    /// - Throws: ``JSONWebEncryptionError/invalidHeader`` for a malformed `epk`, `apu` or `apv`, ``JSONWebEncryptionError/failed``.
    package func decrypt(with keys: [DecryptionKey]) throws(JSONWebEncryptionError) -> [UInt8] {
        let keyID = header["kid"]?.stringValue
        for key in keys where keyID == nil || key.keyID == keyID {
            guard let contentKey = try contentKey(with: key),
                let plaintext = try? encryption.open(ciphertext, tag: tag, key: contentKey, vector: vector, header: encodedHeader)
            else { continue }
            return plaintext
        }
        throw .failed
    }

    /// Returns the key of the content; `nil` if the receiver's key does not fit.
    private func contentKey(with key: DecryptionKey) throws(JSONWebEncryptionError) -> [UInt8]? {
        switch (key.material, algorithm) {
        case (.rsa(let key), .rsaOAEP256): return try? key.decrypt(encryptedKey, KeyManagementAlgorithm.padding)
        case (.ec(let key), .ecdhES), (.ec(let key), .ecdhESA128KW), (.ec(let key), .ecdhESA256KW):
            guard let members = header["epk"]?.objectValue, members["kty"] == "EC", !JSONWebKey.isSecret(members),
                let curve = members["crv"]?.stringValue.flatMap(EllipticCurve.init(rawValue:)),
                let x = members["x"]?.stringValue.flatMap({ [UInt8](base64url: $0) }),
                let y = members["y"]?.stringValue.flatMap({ [UInt8](base64url: $0) }),
                let partyU = party("apu"), let partyV = party("apv")
            else { throw .invalidHeader }
            guard let other = try? ECPublicKey(curve: curve, x: x, y: y), let secret = try? key.sharedSecret(with: other) else {
                return nil
            }
            guard let count = algorithm.wrappingKeyByteCount else {
                guard encryptedKey.isEmpty else { throw .invalidHeader }
                return ConcatKDF.key(
                    encryption.keyByteCount, from: secret, algorithm: encryption.rawValue, partyU: partyU, partyV: partyV)
            }
            let wrapping = ConcatKDF.key(count, from: secret, algorithm: algorithm.rawValue, partyU: partyU, partyV: partyV)
            return try? KeyWrap.unwrap(encryptedKey, with: wrapping)
        case (.rsa, _), (.ec, _): return nil
        }
    }

    /// Returns the information about a party, empty without the member; `nil` for a malformed one.
    private func party(_ name: String) -> [UInt8]? {
        guard let value = header[name] else { return [] }
        return value.stringValue.flatMap { [UInt8](base64url: $0) }
    }

    /// Encrypts a plaintext.
    /// - Parameters:
    ///   - key: the receiver's key, which fits the algorithm.
    ///   - further: further members of the header, such as `cty`.
    /// - Throws: ``CryptographyError/invalidKey`` for a key that does not fit, and the errors of the random generator and of OpenSSL.
    package static func encrypt(
        _ plaintext: [UInt8], for key: EncryptionKey, _ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption,
        header further: JSONObject = [:]
    ) throws(CryptographyError) -> String {
        guard key.fits(algorithm) else { throw .invalidKey }
        var header: JSONObject = ["alg": .string(algorithm.rawValue), "enc": .string(encryption.rawValue)]
        header["kid"] = key.keyID.map { .string($0) }
        for (name, value) in further.members { header[name] = value }
        let contentKey: [UInt8]
        let encryptedKey: [UInt8]
        switch key.material {
        case .rsa(let receiver):
            contentKey = try randomBytes(encryption.keyByteCount)
            encryptedKey = try receiver.encrypt(contentKey, KeyManagementAlgorithm.padding)
        case .ec(let receiver):
            let ephemeral = try ECPrivateKey.generate(receiver.curve)
            let point = try ephemeral.publicKey.coordinates
            header["epk"] = [
                "kty": "EC", "crv": .string(receiver.curve.rawValue), "x": .string(point.x.base64url), "y": .string(point.y.base64url),
            ]
            let secret = try ephemeral.sharedSecret(with: receiver)
            if let count = algorithm.wrappingKeyByteCount {
                let wrapping = ConcatKDF.key(count, from: secret, algorithm: algorithm.rawValue, partyU: [], partyV: [])
                contentKey = try randomBytes(encryption.keyByteCount)
                encryptedKey = try KeyWrap.wrap(contentKey, with: wrapping)
            } else {
                contentKey = ConcatKDF.key(encryption.keyByteCount, from: secret, algorithm: encryption.rawValue, partyU: [], partyV: [])
                encryptedKey = []
            }
        }
        let encodedHeader = JSONValue.object(header).serializedBytes().base64url
        let vector = try randomBytes(encryption.vectorByteCount)
        let sealed = try encryption.seal(plaintext, key: contentKey, vector: vector, header: Array(encodedHeader.utf8))
        let ciphertext = Array(sealed.dropLast(ContentEncryption.tagByteCount))
        let tag = Array(sealed.suffix(ContentEncryption.tagByteCount))
        return [encodedHeader, encryptedKey.base64url, vector.base64url, ciphertext.base64url, tag.base64url].joined(separator: ".")
    }
}
