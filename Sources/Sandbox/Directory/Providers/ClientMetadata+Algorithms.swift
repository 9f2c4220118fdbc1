package import Tokens
import WireFormats

extension ClientMetadata {
    /// A member that names an algorithm.
    package struct AlgorithmMember {
        /// The member.
        package var member: CodingKeys
        /// The name that the client asks for; `nil` if the member is absent.
        package var value: String?
        /// The names that are supported.
        package var supported: [String]
    }

    /// The names of the algorithms with which an issuer can sign for a client.
    package static let signingAlgorithms = SignatureAlgorithm.published.map(\.rawValue)

    /// The names of the algorithms with which clients may sign assertions.
    package static let assertionAlgorithms = SignatureAlgorithm.allCases.map(\.rawValue)

    /// The names of the algorithms with which clients may sign request objects.
    package static let requestObjectAlgorithms = ["none"] + assertionAlgorithms

    /// All members that name an algorithm.
    package var algorithmMembers: [AlgorithmMember] {
        [
            AlgorithmMember(
                member: .tokenEndpointAuthSigningAlg, value: tokenEndpointAuthSigningAlg, supported: Self.assertionAlgorithms),
            AlgorithmMember(member: .idTokenSignedResponseAlg, value: idTokenSignedResponseAlg, supported: Self.signingAlgorithms),
            AlgorithmMember(member: .userinfoSignedResponseAlg, value: userinfoSignedResponseAlg, supported: Self.signingAlgorithms),
            AlgorithmMember(
                member: .requestObjectSigningAlg, value: requestObjectSigningAlg, supported: Self.requestObjectAlgorithms),
        ]
    }

    /// The first member that names an algorithm that is not supported; `nil` if there is none.
    package var unsupportedAlgorithm: AlgorithmMember? {
        algorithmMembers.first { member in member.value.map { !member.supported.contains($0) } ?? false }
    }
}
