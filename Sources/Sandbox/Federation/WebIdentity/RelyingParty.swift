import Cloud
package import Directory
import Policy
import WireFormats

/// A party that accepts ID tokens.
package enum RelyingParty: Sendable {
    /// STS, for the roles of an account of AWS.
    case account(String)
    /// STS of Alibaba Cloud, for an identity provider.
    case provider(OpenIDConnectTrust)
    /// An application with these client IDs.
    case application(clientIDs: [String])
}

extension WebIdentityVerifier {
    /// Finds the issuer of a token among those that a relying party trusts.
    func issuer(of claims: TokenClaims, for party: RelyingParty) throws(WebIdentityError) -> Issuer {
        switch party {
        case .account(let account): try issuer(of: claims, trustedBy: account)
        case .provider(let trust): try issuer(of: claims, trustedAs: trust)
        case .application: try issuer(of: claims)
        }
    }

    private func issuer(of claims: TokenClaims, trustedBy account: String) throws(WebIdentityError) -> Issuer {
        let directory = cloud.directory
        // Every account trusts the identity pools of Amazon Cognito; trust policies name the pool.
        if claims.issuer == PoolToken.issuer {
            return Issuer(provider: PoolToken.keyName, url: PoolToken.issuer, prefix: IdentityPool.ownProvider)
        }
        guard let provider = directory.provider(issuer: claims.issuer, names: names) else {
            guard !OutboundIssuer.isIssuer(claims.issuer), let trust = directory.trust(url: claims.issuer, in: account) else {
                throw .unknownIssuer(claims.issuer)
            }
            return Issuer(url: claims.issuer, trust: trust, prefix: trust.hostAndPath)
        }
        // Google needs no provider object in IAM; every other issuer does.
        var trust = provider.issuer.flatMap { directory.trust(url: $0, in: account) }
        var spelling = provider.issuerKeyPrefix
        // A local issuer can be trusted under any of its names. An account that trusts several uses the canonical one.
        if trust == nil, !provider.kind.isSocial, let spelled = directory.trust(url: claims.issuer, in: account) {
            trust = spelled
            spelling = spelled.hostAndPath
        }
        guard let prefix = spelling, provider.kind == .google || trust != nil else { throw .unknownIssuer(claims.issuer) }
        return Issuer(
            provider: provider.name, url: provider.issuer, isGoogle: provider.kind == .google, trust: trust, prefix: prefix)
    }

    private func issuer(of claims: TokenClaims, trustedAs trust: OpenIDConnectTrust) throws(WebIdentityError) -> Issuer {
        guard let provider = cloud.directory.provider(issuer: claims.issuer, names: names) else {
            guard claims.issuer == trust.url, !OutboundIssuer.isIssuer(claims.issuer) else { throw .unknownIssuer(claims.issuer) }
            return Issuer(url: claims.issuer, trust: trust)
        }
        // A local issuer can be trusted under any of its names.
        guard claims.issuer == trust.url || provider.issuer == trust.url else { throw .unknownIssuer(claims.issuer) }
        return Issuer(provider: provider.name, url: provider.issuer, trust: trust)
    }

    private func issuer(of claims: TokenClaims) throws(WebIdentityError) -> Issuer {
        guard let provider = cloud.directory.provider(issuer: claims.issuer, names: names) else { throw .unknownIssuer(claims.issuer) }
        return Issuer(provider: provider.name, url: provider.issuer)
    }
}

extension Directory {
    /// Returns the parties that judge ID tokens of an issuer: accounts of AWS and identity providers of Alibaba Cloud that trust it, or else
    /// its applications. For an issuer that is unknown everywhere, an account of AWS returns the error.
    package func relyingParties(ofIssuer issuer: String, names: HostNames) -> [RelyingParty] {
        let provider = provider(issuer: issuer, names: names)
        var parties = trusts.values.filter { $0.url == issuer || provider?.issuer == $0.url }.sorted { $0.arn < $1.arn }
            .map { Vendor(account: $0.account) == .aws ? RelyingParty.account($0.account) : .provider($0) }
        let accounts = accounts.keys.filter { Vendor(account: $0) == .aws }.sorted()
        // Every account of AWS trusts Google.
        if provider?.kind == .google { parties += accounts.map(RelyingParty.account) }
        if parties.isEmpty, let provider { return [.application(clientIDs: provider.clients.map(\.id))] }
        return parties.isEmpty ? accounts.prefix(1).map(RelyingParty.account) : parties
    }
}
