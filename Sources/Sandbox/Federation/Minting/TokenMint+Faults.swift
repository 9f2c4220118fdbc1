import Cloud
import Cryptography
import Directory
import Tokens
import WireFormats

/// The changes to apply to a signed token.
struct TokenAlteration {
    var algorithm: SignatureAlgorithm?
    /// Header members that replace the token's own; null removes a member.
    var header: JSONObject = [:]
    /// Claims that are added or replaced.
    var claims: JSONObject = [:]
    /// Claims that are removed.
    var missing: [String] = []
    var fault: TokenFault?

    var isNone: Bool { algorithm == nil && header.isEmpty && claims.isEmpty && missing.isEmpty && fault == nil }
}

extension TokenMint {
    /// Returns a token of the provider, signed again with the changes applied.
    /// - Parameter secret: the key of the client's ID tokens, if that is its secret. An alteration that concerns key pairs replaces it.
    /// - Throws: an error of the key's storage or of the signature.
    func altered(
        _ text: String, by alteration: TokenAlteration, at provider: IdentityProvider, secret: [UInt8]? = nil
    ) async throws -> String {
        guard !alteration.isNone else { return text }
        let token = try JSONWebToken(parsing: text, accepting: Set(SignatureAlgorithm.allCases))
        let isShared = SignatureAlgorithm.sharedSecret.contains(token.algorithm)
        let own = isShared ? provider.signingAlgorithm ?? .rs256 : token.algorithm
        let key = try await signingKey(of: provider, algorithm: alteration.algorithm ?? own)
        var draft = TokenDraft(header: token.header, claims: token.claims, key: key)
        if isShared, let secret, alteration.algorithm == nil, alteration.fault?.needsKeyPair != true {
            draft.shared = (secret, token.algorithm)
        } else {
            draft.header["alg"] = .string(key.algorithm.rawValue)
            draft.header["kid"] = .string(key.keyID)
        }
        for (name, value) in alteration.claims.members { draft.claims[name] = value }
        for name in alteration.missing { draft.claims[name] = nil }
        if let fault = alteration.fault {
            if fault.isOfAnotherKey { try await replaceKey(of: &draft, for: fault, at: provider) }
            try draft.apply(fault, now: cloud.clock.now)
        }
        for (name, value) in alteration.header.members { draft.header[name] = value }
        // Other sandboxes can have the same key, and tell their tokens apart by its name. None signs under the name that it has elsewhere.
        if let name = draft.header["kid"]?.stringValue, key.isNamedElsewhere(name) {
            try await replaceKey(of: &draft, for: .otherKey, at: provider)
        }
        return try draft.text()
    }

    /// Makes the draft one that is signed with a key that the issuer does not publish, under the name of its own key. The key or its
    /// certificate is in the header if the fault requires it.
    private func replaceKey(of draft: inout TokenDraft, for fault: TokenFault, at provider: IdentityProvider) async throws {
        guard draft.shared == nil else {
            draft.shared?.secret = try randomBytes(64)
            return
        }
        // Provider names cannot contain a slash, so this name is free.
        let issuer = "\(provider.name)/stranger"
        let other = try await cloud.signingKey(for: issuer, algorithm: draft.key.algorithm).named(draft.key.keyID)
        if fault == .embeddedKey { draft.header["jwk"] = .object(try other.jsonWebKey.json) }
        if fault == .embeddedCertificate {
            // Only RSA keys have self-signed certificates. A token with another algorithm keeps it and gets the certificate of an RSA key.
            let certified = other.algorithm == .rs256 ? other : try await cloud.signingKey(for: issuer)
            draft.header["x5c"] = try certified.selfSignedCertificate(named: "another").map { .array([.string($0.base64)]) }
        }
        draft.key = other
    }
}

extension TokenFault {
    /// Whether the fault concerns the key pair of a token.
    fileprivate var needsKeyPair: Bool { self == .hs256WithPublicKey || self != .otherKey && isOfAnotherKey }

    /// Whether the token is signed with a key that the issuer does not publish.
    fileprivate var isOfAnotherKey: Bool {
        switch self {
        case .otherKey, .embeddedKey, .keySetURL, .embeddedCertificate, .certificateURL: true
        default: false
        }
    }
}

/// A token before it is signed.
private struct TokenDraft {
    var header: JSONObject
    var claims: JSONObject
    var key: SigningKey
    /// The secret that signs instead of the key; `nil` for a token that the key signs.
    var shared: (secret: [UInt8], algorithm: SignatureAlgorithm)?
    /// The payload that is signed instead of the claims.
    var payload: [UInt8]?
    var signature = Signature.right

    enum Signature {
        case right, flipped, empty
        case secret([UInt8])
    }

    private static let hour: Int64 = 3600

    mutating func apply(_ fault: TokenFault, now: Timestamp) throws {
        let lifetime = (claims["exp"]?.integerValue ?? 0) - (claims["iat"]?.integerValue ?? 0)
        switch fault {
        case .revoked: break
        case .expired:
            claims["exp"] = .integer(now.seconds - Self.hour)
            claims["iat"] = .integer(now.seconds - Self.hour - lifetime)
            if claims["auth_time"] != nil { claims["auth_time"] = claims["iat"] }
        case .notYetValid:
            claims["nbf"] = .integer(now.seconds + Self.hour)
            claims["exp"] = .integer(now.seconds + Self.hour + lifetime)
        case .issuedInTheFuture:
            claims["iat"] = .integer(now.seconds + Self.hour)
            claims["exp"] = .integer(now.seconds + Self.hour + lifetime)
        case .wrongAudience:
            claims["aud"] = "another-client"
            if claims["azp"] != nil { claims["azp"] = "another-client" }
        case .wrongIssuer: claims["iss"] = .string((claims["iss"]?.stringValue ?? "") + "/another")
        case .wrongNonce: claims["nonce"] = .string(try OpaqueToken.unguessable())
        case .wrongAccessTokenHash:
            let algorithm = shared?.algorithm ?? key.algorithm
            claims["at_hash"] = .string(JSONWebToken.accessTokenHash(try OpaqueToken.unguessable(), algorithm: algorithm))
        case .unknownKeyID: header["kid"] = .string(try OpaqueToken.unguessable())
        case .missingKeyID: header["kid"] = .null
        case .algNone:
            header["alg"] = "none"
            signature = .empty
        case .hs256WithPublicKey:
            header["alg"] = .string(SignatureAlgorithm.hs256.rawValue)
            signature = .secret(Array(key.verificationKey.pem.utf8))
        case .flippedSignatureBit: signature = .flipped
        case .emptySignature: signature = .empty
        case .otherKey, .embeddedKey, .embeddedCertificate: break
        case .keySetURL: header["jku"] = "https://another.example/jwks.json"
        case .certificateURL: header["x5u"] = "https://another.example/certificate.pem"
        case .criticalExtension:
            header["crit"] = ["urn:example:unknown"]
            header["urn:example:unknown"] = true
        case .duplicateClaims:
            let subject = JSONValue.object(["sub": "another"]).serializedBytes().dropFirst()
            payload = JSONValue.object(claims).serializedBytes().dropLast() + [0x2C] + subject
        case .nestedToken:
            payload = Array(try signed(JSONValue.object(claims).serializedBytes(), header: ["typ": "JWT"]).utf8)
            header["cty"] = "JWT"
        case .hugeClaims: claims["groups"] = .array((1...5000).map { .string("group-\($0)") })
        }
    }

    func text() throws -> String {
        let claims = payload ?? JSONValue.object(claims).serializedBytes()
        switch signature {
        case .right: return try signed(claims, header: header)
        case .flipped:
            let parts = try signed(claims, header: header).split(separator: ".")
            guard var bytes = [UInt8](base64url: parts[2]) else { throw CryptographyError.operationFailed }
            bytes[bytes.count / 2] ^= 1
            return "\(parts[0]).\(parts[1]).\(bytes.base64url)"
        case .empty: return JSONWebToken.unsigned(header: header, claims: self.claims)
        case .secret(let secret): return try JSONWebToken.sign(header: header, claims: self.claims, secret: secret)
        }
    }

    private func signed(_ payload: [UInt8], header: JSONObject) throws -> String {
        guard let shared else { return try JSONWebToken.sign(header: header, payload: payload, key: key) }
        return try JSONWebToken.sign(header: header, payload: payload, secret: shared.secret, algorithm: shared.algorithm)
    }
}
