import WireFormats

/// The reason why an OpenID Connect provider of IAM or RAM is not changed. Each cloud writes it in its own words.
package enum OpenIDConnectTrustRefusal: Error, Equatable {
    /// The account has no provider with this ARN.
    case noSuchProvider(String)
    /// The account has a provider with the same ARN already; its issuer URL.
    case alreadyExists(url: String)
    /// The account has a provider with this issuer URL already.
    case urlAlreadyExists(String)
    /// The provider does not have this client ID.
    case noSuchClientID(String)
    /// The provider does not have this thumbprint.
    case noSuchThumbprint(String)
    /// The new list of thumbprints is empty.
    case noThumbprints
    /// There are as many of this as there can be.
    case limitExceeded(Quota, Int)

    /// What there can only be so much of.
    package enum Quota: Sendable {
        case providersOfAccount
        case clientIDs
        case thumbprints
    }
}

extension OpenIDConnectTrust {
    /// The number of something that a provider can have.
    package struct Limit: Sendable {
        let quota: OpenIDConnectTrustRefusal.Quota
        let number: Int

        package init(_ quota: OpenIDConnectTrustRefusal.Quota, _ number: Int) {
            self.quota = quota
            self.number = number
        }
    }

    /// Checks the number of client IDs and thumbprints.
    /// - Parameter limits: the limits, in the order in which they are checked.
    /// - Throws: `limitExceeded`.
    package func check(_ limits: [Limit]) throws(OpenIDConnectTrustRefusal) {
        for limit in limits {
            let count =
                switch limit.quota {
                case .clientIDs: clientIDs.count
                case .thumbprints: thumbprints.count
                case .providersOfAccount: 0
                }
            if count > limit.number { throw .limitExceeded(limit.quota, limit.number) }
        }
    }

    /// Adds client IDs that the provider does not have yet.
    package mutating func addClientIDs(_ ids: [String]) { clientIDs = (clientIDs + ids).uniqued() }

    /// Removes a client ID.
    /// - Throws: `noSuchClientID`.
    package mutating func removeClientID(_ id: String) throws(OpenIDConnectTrustRefusal) {
        guard clientIDs.contains(id) else { throw .noSuchClientID(id) }
        clientIDs.removeAll { $0 == id }
    }

    /// Adds thumbprints that the provider does not have yet.
    package mutating func addThumbprints(_ prints: [String]) { thumbprints = (thumbprints + prints).uniqued() }

    /// Removes a thumbprint.
    /// - Throws: `noSuchThumbprint`.
    package mutating func removeThumbprint(_ print: String) throws(OpenIDConnectTrustRefusal) {
        guard thumbprints.contains(print) else { throw .noSuchThumbprint(print) }
        thumbprints.removeAll { $0 == print }
    }

    /// Replaces the thumbprints.
    /// - Throws: `noThumbprints` for an empty list.
    package mutating func setThumbprints(_ prints: [String]) throws(OpenIDConnectTrustRefusal) {
        guard !prints.isEmpty else { throw .noThumbprints }
        thumbprints = prints
    }
}

extension Directory {
    /// The OpenID Connect provider with an ARN.
    /// - Throws: `noSuchProvider`, also if another account has it.
    package func openIDConnectTrust(_ arn: String, in account: String) throws(OpenIDConnectTrustRefusal) -> OpenIDConnectTrust {
        guard let trust = OpenIDConnectTrust.find(arn, in: self, account: account) else { throw .noSuchProvider(arn) }
        return trust
    }

    /// Adds an OpenID Connect provider. At AWS the issuer URL makes the ARN; at Alibaba Cloud both are unique in the account.
    /// - Parameter limit: the number of providers that an account can have.
    /// - Throws: `alreadyExists`, `urlAlreadyExists` or `limitExceeded`, in this order.
    package mutating func createOpenIDConnectTrust(_ trust: OpenIDConnectTrust, limit: Int) throws(OpenIDConnectTrustRefusal) {
        guard trusts[trust.arn] == nil else { throw .alreadyExists(url: trust.url) }
        let own = trusts.values.filter { $0.account == trust.account }
        guard trust.name == nil || !own.contains(where: { $0.url == trust.url }) else { throw .urlAlreadyExists(trust.url) }
        guard own.count < limit else { throw .limitExceeded(.providersOfAccount, limit) }
        put(.trust(trust))
    }

    /// Changes an OpenID Connect provider.
    /// - Parameters:
    ///   - limits: what the provider can have after the change, in the order in which it is checked.
    ///   - change: changes the record, but not its account, name and URL.
    /// - Returns: the provider after the change.
    /// - Throws: `noSuchProvider`, what `change` throws, or `limitExceeded`.
    @discardableResult
    package mutating func updateOpenIDConnectTrust(
        _ arn: String, in account: String, limits: [OpenIDConnectTrust.Limit],
        _ change: (inout OpenIDConnectTrust) throws(OpenIDConnectTrustRefusal) -> Void
    ) throws(OpenIDConnectTrustRefusal) -> OpenIDConnectTrust {
        var trust = try openIDConnectTrust(arn, in: account)
        try change(&trust)
        try trust.check(limits)
        put(.trust(trust))
        return trust
    }

    /// Deletes an OpenID Connect provider. Roles that trust it do not change.
    /// - Throws: `noSuchProvider`.
    package mutating func deleteOpenIDConnectTrust(_ arn: String, in account: String) throws(OpenIDConnectTrustRefusal) {
        remove(.init(.trust, try openIDConnectTrust(arn, in: account).arn))
    }
}

extension [String] {
    /// Returns each text once, at its first place.
    package func uniqued() -> [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
