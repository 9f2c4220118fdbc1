import Cloud
import Directory
import Tokens
import WireFormats

extension WebIdentityVerifier {
    /// Verifies a Facebook access token. Facebook returns 400 to STS for unknown, expired and revoked tokens alike.
    /// (IAM User Guide, "Available keys for AWS web identity federation"; users of the service reported the text.)
    func verifyFacebookToken(_ token: String) throws -> WebIdentity {
        guard let provider = cloud.directory.provider(ofKind: .facebook),
            let approval = try? FacebookToken(token, at: provider, in: cloud).approval
        else { throw WebIdentityError.refusal(of: IdentityProvider.Kind.facebook.descriptor.providerID ?? "") }
        let client = approval.client
        return WebIdentity(at: provider, client: client, application: client.id, subject: client.facebookID(of: approval.person))
    }

    /// Verifies an access token of Login with Amazon. Some callers percent-encode the bar of its prefix twice.
    func verifyAmazonToken(_ token: String) async throws -> WebIdentity {
        let descriptor = IdentityProvider.Kind.amazon.descriptor
        let token = token.hasPrefix("Atza%7C") ? "Atza|" + token.dropFirst("Atza%7C".count) : token
        guard token.hasPrefix(descriptor.accessToken.prefix) else { throw WebIdentityError.notALoginWithAmazonToken }
        guard let provider = cloud.directory.provider(ofKind: .amazon),
            let found = try await GrantVerifier(provider: provider, cloud: cloud).verified(token, kind: .accessToken),
            let person = found.person
        else { throw WebIdentityError.refusal(of: descriptor.providerID ?? "") }
        let client = found.client
        return WebIdentity(at: provider, client: client, application: client.applicationID ?? client.id, subject: person.subject)
    }
}

extension WebIdentity {
    /// Creates the identity of an opaque access token.
    /// - Parameter application: the client as condition keys name it.
    fileprivate init(at provider: IdentityProvider, client: Client, application: String, subject: String) {
        let descriptor = provider.kind.descriptor
        let principal = descriptor.principal ?? ""
        let keys: [SessionCredentials.Claim] = [
            .init(key: "\(principal):\(descriptor.audienceKey)", values: [application]),
            .init(key: "\(principal):\(descriptor.subjectKey)", values: [subject]),
        ]
        self.init(
            federatedPrincipal: principal, subject: subject, audience: client.id, providerName: descriptor.providerID ?? principal,
            trustKeys: keys, sessionKeys: keys)
    }
}
