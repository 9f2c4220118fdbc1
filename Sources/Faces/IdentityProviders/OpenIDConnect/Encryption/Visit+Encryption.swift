import Calls
import Cloud
import Directory
import Federation
import Tokens
import WireFormats

extension Visit {
    /// Encrypts a message for a client that has registered for it (OpenID Connect Core 1.0 section 10.2).
    /// - Parameters:
    ///   - contentType: the `cty` of the header; `JWT` for a signed token (RFC 7519 section 5.2).
    /// - Returns: the encrypted message; `nil` if the client receives it unencrypted.
    /// - Throws: `OAuthError` if the client publishes no key for its algorithm.
    func encrypted(
        _ payload: [UInt8], for client: Client, _ message: ClientMetadata.EncryptedMessage, contentType: String? = "JWT"
    ) async throws -> String? {
        let members = client.metadata.encryption(of: message)
        guard let algorithm = members.algorithm.value.flatMap(KeyManagementAlgorithm.init(rawValue:)) else { return nil }
        let encryption = members.encryption.value.flatMap(ContentEncryption.init(rawValue:)) ?? .usual
        guard let key = await applications.encryptionKey(of: client, for: algorithm, in: cloud) else {
            let name = members.algorithm.member.rawValue
            throw OAuthError(
                .invalidRequest, "The client has registered the \(name) \(algorithm.rawValue), and its key set has no such key.")
        }
        var header = JSONObject()
        if let contentType { header["cty"] = .string(contentType) }
        return try JSONWebEncryption.encrypt(payload, for: key, algorithm, encryption, header: header)
    }

    /// Returns a signed token as the client has registered to receive it: encrypted, or as it is.
    /// - Throws: `OAuthError` if the client publishes no key for its algorithm.
    func encrypted(_ token: String, for client: Client, _ message: ClientMetadata.EncryptedMessage) async throws -> String {
        try await encrypted(Array(token.utf8), for: client, message) ?? token
    }

    /// Returns an ID token as the client has registered to receive it.
    /// - Throws: `GrantRefusal`, `OAuthError` if the client publishes no key, or an error of the storage.
    func idToken(
        _ approval: Approval, accessToken: String? = nil, code: String? = nil, state: String? = nil, claims: JSONObject = [:]
    ) async throws -> String {
        let token = try await mint.idToken(
            approval, issuer: issuer, accessToken: accessToken, code: code, state: state, claims: claims)
        return try await encrypted(token, for: approval.client, .idToken)
    }

    /// Returns claims that the issuer signs for a client, encrypted if the client has registered for it.
    /// - Parameters:
    ///   - algorithm: the registered algorithm of the signature; if it is `nil`, that of the issuer.
    ///   - type: the `typ` of the header.
    /// - Throws: `GrantRefusal`, `OAuthError` if the client publishes no key, or an error of the storage.
    func signed(
        _ claims: JSONObject, for client: Client, algorithm: String?, type: String = "JWT", _ message: ClientMetadata.EncryptedMessage
    ) async throws -> String {
        let algorithm = algorithm.flatMap(SignatureAlgorithm.init(rawValue:)) ?? provider.signingAlgorithm ?? .rs256
        let key = try await mint.signingKey(of: provider, algorithm: algorithm, client: client)
        let token = try JSONWebToken.sign(header: ["typ": .string(type)], claims: claims, key: key)
        return try await encrypted(token, for: client, message)
    }
}

extension Visit {
    /// Returns the keys that decrypt request objects. They are made when they are first needed.
    /// - Throws: an error of the storage or of the key generation.
    func decryptionKeys() async throws -> [DecryptionKey] {
        // A name that no provider can have.
        try await cloud.publishedKeys(of: provider.name + "/encryption", algorithms: [.rs256, .es256]).map { try DecryptionKey($0.key) }
    }
}

extension OpenIDConnectMetadata {
    /// Returns the members about an encrypted message.
    /// - Parameter message: the message, as the names of the members begin.
    static func encryption(of message: String) -> JSONObject {
        [
            "\(message)_encryption_alg_values_supported": .array(ClientMetadata.keyManagementAlgorithms.map { .string($0) }),
            "\(message)_encryption_enc_values_supported": .array(ClientMetadata.contentEncryptions.map { .string($0) }),
        ]
    }
}
