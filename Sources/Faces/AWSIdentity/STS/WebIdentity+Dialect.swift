import Federation
import WireFormats

extension WebIdentity {
    /// Returns the identity with the condition keys of a dialect. Ceph also provides the audience as `<issuer>:app_id`. There,
    /// `aws:TagKeys`
    /// matches an operator without quantifier if one of the keys does, and all requests of the session have that key.
    /// (Ceph documentation, "STS in Ceph", "Conditions", and "Session tags for Attribute Based Access Control in STS".)
    func adapted(to dialect: Dialect) -> WebIdentity {
        guard dialect == .ceph else { return self }
        var identity = self
        if let audience = trustKeys.first(where: { $0.key.hasSuffix(":aud") }) {
            identity.trustKeys.append(.init(key: String(audience.key.dropLast("aud".count)) + "app_id", values: audience.values))
        }
        if !requests.tags.isEmpty {
            let keys = SessionCredentials.Claim(key: "aws:TagKeys", values: requests.tags.map(\.key))
            identity.trustKeys.append(keys)
            identity.sessionKeys.append(keys)
        }
        return identity
    }
}
