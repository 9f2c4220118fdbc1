import Cloud
import Tokens

extension WebIdentityVerifier {
    /// Facebook answers STS with 400 for whatever it does not accept: unknown, expired and revoked tokens alike.
    /// (IAM User Guide, "Available keys for AWS web identity federation"; the text was reported by users of the service.)
    func verifyFacebookToken(_ token: String) throws -> WebIdentity {
        guard let (_, client, person) = try grant(of: token, kind: .facebook) else {
            throw WebIdentityError.rejected("graph.facebook.com: graph.facebook.com responded with HTTP/1.1 400 Bad Request")
        }
        let keys: [SessionCredentials.Claim] = [
            .init(key: "graph.facebook.com:app_id", values: [client.id]),
            .init(key: "graph.facebook.com:id", values: [person.subject]),
        ]
        return WebIdentity(
            federatedPrincipal: "graph.facebook.com", subject: person.subject, audience: client.id,
            providerName: "graph.facebook.com", trustKeys: keys, sessionKeys: keys)
    }

    /// Login with Amazon's access tokens begin `Atza|`. Callers are known to send the bar percent-encoded twice.
    func verifyAmazonToken(_ token: String) throws -> WebIdentity {
        let token = token.hasPrefix("Atza%7C") ? "Atza|" + token.dropFirst("Atza%7C".count) : token
        guard token.hasPrefix("Atza|") else { throw WebIdentityError.notALoginWithAmazonToken }
        guard let (_, client, person) = try grant(of: token, kind: .amazon) else {
            throw WebIdentityError.rejected("www.amazon.com: www.amazon.com responded with HTTP/1.1 400 Bad Request")
        }
        let keys: [SessionCredentials.Claim] = [
            .init(key: "www.amazon.com:app_id", values: [client.applicationID ?? client.id]),
            .init(key: "www.amazon.com:user_id", values: [person.subject]),
        ]
        return WebIdentity(
            federatedPrincipal: "www.amazon.com", subject: person.subject, audience: client.id, providerName: "www.amazon.com",
            trustKeys: keys, sessionKeys: keys)
    }

    /// The live grant of an access token and whom it is about, at the provider of this kind.
    private func grant(of token: String, kind: IdentityProvider.Kind) throws -> (Grant, Client, Person)? {
        guard let provider = cloud.directory.providers.values.first(where: { $0.kind == kind }),
            let grant = try cloud.grants.find(token, kind: .accessToken, at: provider.name),
            let client = provider.client(grant.client), let person = provider.person(named: grant.person)
        else { return nil }
        return (grant, client, person)
    }
}
