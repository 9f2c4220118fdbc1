package import Directory
import WireFormats

/// The condition keys of the person or workload on whose behalf a session acts, if its provider has a context provider.
///
/// The claims that it maps have a prefix of their own, so that no mapping can replace a key of the identity.
/// (IAM API Reference, "ContextProvider"; STS API Reference, "OriginIdentity" and "TransactionContext", and "GetWebIdentityToken",
/// `SubjectMode`.)
package enum OriginIdentity {
    private static let prefix = "aws:OriginIdentity/"
    /// The prefix of the keys of mapped claims.
    private static let mappedPrefix = "aws:TransactionContext/IdentityProvider/"
    /// The key of the subject.
    package static let subject = prefix + "Subject"
    /// The key of the subject's issuer.
    package static let issuer = prefix + "Issuer"
    /// The key of the identity provider in IAM.
    package static let providerARN = prefix + "FederatedProviderArn"

    /// Returns the key of a mapped claim.
    package static func key(of mapping: ContextProvider.Mapping) -> String { mappedPrefix + (mapping.target ?? mapping.source) }

    /// Returns the keys of a token. Without the subject, the token has no origin identity.
    static func keys(of claims: JSONObject, _ context: ContextProvider, providerARN arn: String) -> [SessionCredentials.Claim] {
        guard let name = ProviderClaims.value(of: claims[context.subjectSourceKey]) else { return [] }
        var keys: [SessionCredentials.Claim] = [.init(key: subject, values: [name]), .init(key: providerARN, values: [arn])]
        if let issuer = claims["iss"]?.stringValue {
            keys.append(.init(key: Self.issuer, values: [issuer.hasPrefix("https://") ? String(issuer.dropFirst(8)) : issuer]))
        }
        let type = context.subjectTypeValue ?? context.subjectTypeSourceKey.flatMap { ProviderClaims.value(of: claims[$0]) }
        if let type, !type.isEmpty { keys.append(.init(key: prefix + "SubjectType", values: [type])) }
        for mapping in context.mappings {
            guard let value = ProviderClaims.value(of: claims[mapping.source]) else { continue }
            keys.append(.init(key: Self.key(of: mapping), values: [value]))
        }
        return keys
    }
}
