import Cloud
import Directory
import Tokens
import WireFormats

extension WebIdentityVerifier {
    /// Verifies a Facebook access token. Facebook returns 400 to STS for unknown, expired and revoked tokens alike.
    /// (IAM User Guide, "Available keys for AWS web identity federation"; users of the service reported the text.)
    func verifyFacebookToken(_ token: String) throws -> WebIdentity {
        guard let provider = cloud.directory.providers.values.first(where: { $0.kind == .facebook }),
            let approval = try? FacebookToken(token, at: provider, in: cloud).approval
        else { throw WebIdentityError.rejected("graph.facebook.com: graph.facebook.com responded with HTTP/1.1 400 Bad Request") }
        let (client, id) = (approval.client, approval.client.facebookID(of: approval.person))
        let keys: [SessionCredentials.Claim] = [
            .init(key: "graph.facebook.com:app_id", values: [client.id]),
            .init(key: "graph.facebook.com:id", values: [id]),
        ]
        return WebIdentity(
            federatedPrincipal: "graph.facebook.com", subject: id, audience: client.id,
            providerName: "graph.facebook.com", trustKeys: keys, sessionKeys: keys)
    }

    /// Verifies an access token of Login with Amazon, which begins with `Atza|`. Some callers percent-encode the bar twice.
    func verifyAmazonToken(_ token: String) async throws -> WebIdentity {
        let token = token.hasPrefix("Atza%7C") ? "Atza|" + token.dropFirst("Atza%7C".count) : token
        guard token.hasPrefix("Atza|") else { throw WebIdentityError.notALoginWithAmazonToken }
        guard let provider = cloud.directory.providers.values.first(where: { $0.kind == .amazon }),
            let found = try await GrantVerifier(provider: provider, cloud: cloud).verified(token, kind: .accessToken),
            let person = found.person
        else { throw WebIdentityError.rejected("www.amazon.com: www.amazon.com responded with HTTP/1.1 400 Bad Request") }
        let client = found.client
        let keys: [SessionCredentials.Claim] = [
            .init(key: "www.amazon.com:app_id", values: [client.applicationID ?? client.id]),
            .init(key: "www.amazon.com:user_id", values: [person.subject]),
        ]
        return WebIdentity(
            federatedPrincipal: "www.amazon.com", subject: person.subject, audience: client.id, providerName: "www.amazon.com",
            trustKeys: keys, sessionKeys: keys)
    }
}
