import Tokens
import WireFormats

extension ClientMetadata {
    /// A member that names an algorithm.
    package struct AlgorithmMember: Sendable {
        /// The member.
        package var member: CodingKeys
        /// The name that the client asks for; `nil` if the member is absent.
        package var value: String?
        /// The names that are supported.
        package var supported: [String]
    }

    /// A message that is encrypted, if the client asks for it.
    package enum EncryptedMessage: Sendable, CaseIterable {
        case idToken, userinfo, requestObject, authorization, introspection
    }

    /// The algorithms of an encrypted message, and the members that name them.
    package struct EncryptionMembers: Sendable {
        /// The algorithm for the key.
        package var algorithm: AlgorithmMember
        /// The algorithm for the content.
        package var encryption: AlgorithmMember

        fileprivate init(_ algorithm: (CodingKeys, String?), _ encryption: (CodingKeys, String?)) {
            self.algorithm = AlgorithmMember(member: algorithm.0, value: algorithm.1, supported: ClientMetadata.keyManagementAlgorithms)
            self.encryption = AlgorithmMember(member: encryption.0, value: encryption.1, supported: ClientMetadata.contentEncryptions)
        }
    }

    /// The names of the algorithms with which an issuer can sign for a client.
    package static let signingAlgorithms = SignatureAlgorithm.published.map(\.rawValue)

    /// The names of the algorithms that clients can have for ID tokens: also those whose key is the client's secret (OpenID Connect Core 1.0
    /// section 10.1).
    package static let idTokenAlgorithms = SignatureAlgorithm.allCases.map(\.rawValue)

    /// The names of the algorithms with which clients may sign assertions.
    package static let assertionAlgorithms = SignatureAlgorithm.allCases.map(\.rawValue)

    /// The names of the algorithms with which clients may sign request objects.
    package static let requestObjectAlgorithms = ["none"] + assertionAlgorithms

    /// The names of the algorithms for the keys of encrypted messages.
    package static let keyManagementAlgorithms = KeyManagementAlgorithm.allCases.map(\.rawValue)

    /// The names of the algorithms for the contents of encrypted messages.
    package static let contentEncryptions = ContentEncryption.allCases.map(\.rawValue)

    /// The algorithms that the client has registered for a kind of message.
    package func encryption(of message: EncryptedMessage) -> EncryptionMembers {
        switch message {
        case .idToken:
            EncryptionMembers(
                (.idTokenEncryptedResponseAlg, idTokenEncryptedResponseAlg), (.idTokenEncryptedResponseEnc, idTokenEncryptedResponseEnc))
        case .userinfo:
            EncryptionMembers(
                (.userinfoEncryptedResponseAlg, userinfoEncryptedResponseAlg),
                (.userinfoEncryptedResponseEnc, userinfoEncryptedResponseEnc))
        case .requestObject:
            EncryptionMembers(
                (.requestObjectEncryptionAlg, requestObjectEncryptionAlg), (.requestObjectEncryptionEnc, requestObjectEncryptionEnc))
        case .authorization:
            EncryptionMembers(
                (.authorizationEncryptedResponseAlg, authorizationEncryptedResponseAlg),
                (.authorizationEncryptedResponseEnc, authorizationEncryptedResponseEnc))
        case .introspection:
            EncryptionMembers(
                (.introspectionEncryptedResponseAlg, introspectionEncryptedResponseAlg),
                (.introspectionEncryptedResponseEnc, introspectionEncryptedResponseEnc))
        }
    }

    /// All members that name an algorithm.
    private var algorithmMembers: [AlgorithmMember] {
        let signed: [(CodingKeys, String?)] = [
            (.userinfoSignedResponseAlg, userinfoSignedResponseAlg), (.authorizationSignedResponseAlg, authorizationSignedResponseAlg),
            (.introspectionSignedResponseAlg, introspectionSignedResponseAlg),
        ]
        var members = [
            AlgorithmMember(member: .idTokenSignedResponseAlg, value: idTokenSignedResponseAlg, supported: Self.idTokenAlgorithms)
        ]
        members += signed.map { AlgorithmMember(member: $0.0, value: $0.1, supported: Self.signingAlgorithms) }
        members.append(
            AlgorithmMember(
                member: .tokenEndpointAuthSigningAlg, value: tokenEndpointAuthSigningAlg, supported: Self.assertionAlgorithms))
        members.append(
            AlgorithmMember(
                member: .requestObjectSigningAlg, value: requestObjectSigningAlg, supported: Self.requestObjectAlgorithms))
        for message in EncryptedMessage.allCases {
            let encrypted = encryption(of: message)
            members += [encrypted.algorithm, encrypted.encryption]
        }
        return members
    }

    /// The names of the algorithms with which the issuer signs for the client, other than its own.
    var algorithmsOfIssuer: [String] {
        [
            idTokenSignedResponseAlg, userinfoSignedResponseAlg, authorizationSignedResponseAlg, introspectionSignedResponseAlg,
        ].compactMap { $0 }
    }

    /// Whether a member names an algorithm.
    package var namesAlgorithms: Bool { algorithmMembers.contains { $0.value != nil } }

    /// A setting of algorithms that cannot work.
    package struct AlgorithmFault: Sendable {
        /// The member.
        package var member: CodingKeys
        /// The value of the member, if its name is not supported.
        package var value: String?
        /// What is expected there.
        package var expected: String
    }

    /// The first setting of algorithms that cannot work; `nil` if there is none.
    package var algorithmFault: AlgorithmFault? {
        for member in algorithmMembers {
            guard let value = member.value, !member.supported.contains(value) else { continue }
            return AlgorithmFault(member: member.member, value: value, expected: "one of \(member.supported.joined(separator: ", "))")
        }
        for message in EncryptedMessage.allCases {
            let members = encryption(of: message)
            guard let name = members.algorithm.value, let algorithm = KeyManagementAlgorithm(rawValue: name) else {
                guard members.encryption.value == nil else {
                    return AlgorithmFault(
                        member: members.encryption.member, expected: "a member \(members.algorithm.member.rawValue) beside it")
                }
                continue
            }
            // The client's request objects are encrypted with the issuer's key.
            guard message != .requestObject, jwksURI == nil else { continue }
            guard let jwks, EncryptionKey.first(in: jwks, for: algorithm) != nil else {
                return AlgorithmFault(
                    member: members.algorithm.member,
                    expected: "a jwks_uri, or jwks with a key for \(algorithm.rawValue): \(EncryptionKey.supportedKeys)")
            }
        }
        return nil
    }
}
