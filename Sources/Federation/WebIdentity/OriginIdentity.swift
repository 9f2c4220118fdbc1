import Directory
import WireFormats

/// The condition keys of the person or workload on whose behalf a session acts, if its provider has a context provider.
/// (IAM API Reference, "ContextProvider"; STS API Reference, "GetWebIdentityToken", `SubjectMode`.)
package enum OriginIdentity {
    private static let prefix = "aws:OriginIdentity/"
    /// The key of the subject.
    package static let subject = prefix + "Subject"
    /// The key of the subject's issuer.
    package static let issuer = prefix + "Issuer"
    /// The key of the identity provider in IAM.
    package static let providerARN = prefix + "FederatedProviderArn"

    /// Returns the keys of a token. Without the subject, the token has no origin identity.
    static func keys(of claims: JSONObject, _ context: ContextProvider, providerARN arn: String) -> [SessionCredentials.Claim] {
        guard let name = ProviderClaims.value(of: claims[context.subjectSourceKey]) else { return [] }
        var keys: [SessionCredentials.Claim] = [.init(key: subject, values: [name]), .init(key: providerARN, values: [arn])]
        if let issuer = claims["iss"]?.stringValue { keys.append(.init(key: Self.issuer, values: [issuer])) }
        let type = context.subjectTypeValue ?? context.subjectTypeSourceKey.flatMap { ProviderClaims.value(of: claims[$0]) }
        if let type, !type.isEmpty { keys.append(.init(key: prefix + "SubjectType", values: [type])) }
        for mapping in context.mappings {
            guard let value = ProviderClaims.value(of: claims[mapping.source]) else { continue }
            keys.append(.init(key: prefix + (mapping.target ?? mapping.source), values: [value]))
        }
        return keys
    }
}
