import Federation

extension WebIdentity {
    /// The identity with the condition keys that a dialect has. Ceph calls the audience `<issuer>:app_id` as well, a plain operator fits
    /// `aws:TagKeys` if one of the keys does, and the session has that key in all its requests.
    /// (Ceph documentation, "STS in Ceph", "Conditions", and "Session tags for Attribute Based Access Control in STS".)
    func spoken(in dialect: Dialect) -> WebIdentity {
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
