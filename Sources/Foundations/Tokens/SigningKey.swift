package import Cryptography
package import WireFormats

/// A private key that signs tokens, identified by the thumbprint of its public half.
package struct SigningKey: Sendable {
    /// The `kid`: the RFC 7638 thumbprint of the public key, unless another name was set.
    package private(set) var keyID: String {
        didSet { usualHeader = Self.encoded(header) }
    }
    /// The one algorithm that the key is used with.
    package let algorithm: SignatureAlgorithm
    /// When the key was made.
    package let created: Timestamp

    /// The key that verifies what this one signs.
    package let verificationKey: VerificationKey

    /// The encoded header of most tokens that the key signs.
    private(set) var usualHeader: String

    private let material: Material

    private enum Material {
        case rsa(RSAPrivateKey)
        case ec(ECPrivateKey)
        case ed25519(Ed25519PrivateKey)
    }

    private init(_ material: Material, algorithm: SignatureAlgorithm, created: Timestamp) throws(CryptographyError) {
        self.material = material
        self.algorithm = algorithm
        self.created = created
        verificationKey =
            switch material {
            case .rsa(let key): .rsa(key.publicKey)
            case .ec(let key): .ec(key.publicKey)
            case .ed25519(let key): .ed25519(key.publicKey)
            }
        keyID = try JSONWebKey(verificationKey).thumbprint
        usualHeader = ""
        usualHeader = Self.encoded(header)
    }

    /// The `alg` and `kid` that the header of every token contains.
    var header: JSONObject { ["alg": .string(algorithm.rawValue), "kid": .string(keyID)] }

    private static func encoded(_ header: JSONObject) -> String {
        var header = header
        header["typ"] = "JWT"
        return JSONValue.object(header).serializedBytes().base64url
    }

    /// Generates a new key. RSA keys have 2048 bits and take 20 to 200 ms.
    /// - Throws: ``CryptographyError/operationFailed``, and ``CryptographyError/invalidKey`` for an algorithm without key pairs.
    package static func generate(
        algorithm: SignatureAlgorithm = .rs256, created: Timestamp
    ) throws(CryptographyError) -> SigningKey {
        let material: Material =
            switch algorithm.scheme {
            case .rsa: .rsa(try .generate())
            case .ec(let curve): .ec(try .generate(curve))
            case .ed25519: .ed25519(try .generate())
            case .hmac: throw .invalidKey
            }
        return try SigningKey(material, algorithm: algorithm, created: created)
    }

    /// Creates a key of an RSA key pair, under the thumbprint of the public half.
    /// - Throws: ``CryptographyError/invalidKey`` for an algorithm of other keys.
    package init(_ key: RSAPrivateKey, algorithm: SignatureAlgorithm, created: Timestamp) throws(CryptographyError) {
        guard case .rsa = algorithm.scheme else { throw .invalidKey }
        try self.init(.rsa(key), algorithm: algorithm, created: created)
    }

    /// Reads a stored key.
    /// - Throws: ``CryptographyError/invalidKey`` where the PEM contains no private key that fits the algorithm.
    package init(pem: String, algorithm: SignatureAlgorithm, created: Timestamp) throws(CryptographyError) {
        switch algorithm.scheme {
        case .rsa:
            try self.init(.rsa(RSAPrivateKey(pem: pem)), algorithm: algorithm, created: created)
        case .ec(let curve):
            let key = try ECPrivateKey(pem: pem)
            guard key.curve == curve else { throw .invalidKey }
            try self.init(.ec(key), algorithm: algorithm, created: created)
        case .ed25519: try self.init(.ed25519(Ed25519PrivateKey(pem: pem)), algorithm: algorithm, created: created)
        case .hmac: throw .invalidKey
        }
    }

    /// Returns the same key under another `kid`. Tokens signed under the old one are no longer recognized.
    package func named(_ keyID: String) -> SigningKey {
        var key = self
        key.keyID = keyID
        return key
    }

    /// The private key as unencrypted PKCS#8 PEM, for storage.
    /// - Throws: ``CryptographyError/operationFailed`` when memory runs out.
    package var pem: String {
        get throws(CryptographyError) {
            switch material {
            case .rsa(let key): try key.pem
            case .ec(let key): try key.pem
            case .ed25519(let key): try key.pem
            }
        }
    }

    /// The public half as it is published, with `kid` and `alg`.
    package var jsonWebKey: JSONWebKey { JSONWebKey(verificationKey, keyID: keyID, algorithm: algorithm) }

    /// Returns a self-signed certificate of an RSA key, as DER; `nil` for other keys. The same key has the same certificate.
    /// - Throws: ``CryptographyError/operationFailed``.
    package func selfSignedCertificate(named name: String) throws(CryptographyError) -> [UInt8]? {
        guard case .rsa(let key) = material else { return nil }
        let lines = try key.selfSignedCertificate(named: name).split(separator: "\n").filter { !$0.hasPrefix("-----") }
        guard let certificate = [UInt8](base64: lines.joined()) else { throw .operationFailed }
        return certificate
    }

    /// Returns a certificate for a client that this RSA key signs, as PEM; `nil` for other keys.
    /// - Parameters:
    ///   - client: the key of the client.
    ///   - authority: the certificate of this key, as PEM.
    /// - Throws: ``CryptographyError/operationFailed``, also for a subject that cannot be certified.
    package func issue(
        _ request: ClientCertificateRequest, for client: ClientKey, authority: String
    ) throws(CryptographyError) -> String? {
        guard case .rsa(let key) = material else { return nil }
        return try key.issue(request, for: client, authority: authority)
    }

    /// Returns the signature over a message, in the form of JOSE.
    func sign(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        switch (material, algorithm.scheme) {
        case (.rsa(let key), .rsa(let scheme)): try key.sign(message, hash: algorithm.hash, scheme: scheme)
        case (.ec(let key), _): try key.sign(message)
        case (.ed25519(let key), _): try key.sign(message)
        case (.rsa, _): throw .invalidKey
        }
    }
}

extension SignatureAlgorithm {
    /// Whether the algorithm needs an RSA key, which is slow to generate.
    package var isRSA: Bool {
        if case .rsa = scheme { true } else { false }
    }
}
