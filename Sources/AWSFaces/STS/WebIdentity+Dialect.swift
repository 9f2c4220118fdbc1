import Federation

extension WebIdentity {
    /// The identity with the condition keys that a dialect has for trust policies: Ceph calls the audience `<issuer>:app_id` as well.
    /// (Ceph documentation, "STS in Ceph", "Conditions".)
    func spoken(in dialect: S3Dialect) -> WebIdentity {
        guard dialect == .ceph, let audience = trustKeys.first(where: { $0.key.hasSuffix(":aud") }) else { return self }
        var identity = self
        identity.trustKeys.append(.init(key: String(audience.key.dropLast("aud".count)) + "app_id", values: audience.values))
        return identity
    }
}
