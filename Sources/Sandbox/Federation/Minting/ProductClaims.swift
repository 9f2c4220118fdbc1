import Cryptography
package import Directory
import WireFormats

extension IssuerProduct {
    /// Adds the claims that ID tokens of the product have besides those of other issuers.
    /// - Throws: an error of the random generator.
    func complete(_ claims: inout JSONObject, of approval: Approval) throws {
        switch self {
        case .entra: try Self.completeEntra(&claims, of: approval)
        case .apple: claims["nonce_supported"] = true
        case .auth0: break
        }
    }

    /// Adds the claims that signed access tokens of the product have besides those of other issuers.
    /// - Throws: an error of the random generator.
    func completeAccessToken(_ claims: inout JSONObject, of approval: Approval, issuer: String) throws {
        switch self {
        case .entra:
            try Self.completeEntra(&claims, of: approval)
            let permissions = approval.scopes.filter { !Self.userScopes.contains($0) }
            if let api = permissions.first(where: { $0.hasPrefix("api://") }), approval.audiences.isEmpty {
                claims["aud"] = .string(String(api.dropFirst("api://".count).prefix { $0 != "/" }))
            }
            claims["scp"] = .string(permissions.map { String($0.split(separator: "/").last ?? "") }.joined(separator: " "))
            claims["azp"] = .string(approval.client.id)
            claims["azpacr"] = approval.client.isPublic ? "0" : "1"
        case .auth0:
            claims["azp"] = .string(approval.client.id)
            // The token is also for the userinfo endpoint.
            if !approval.audiences.isEmpty, approval.scopes.contains("openid") {
                claims["aud"] = .array((approval.audiences + [issuer + "userinfo"]).map { .string($0) })
            }
        case .apple: break
        }
    }

    /// The scopes with which an application learns about the user at Microsoft Entra ID.
    private static let userScopes = ["openid", "profile", "email", "address", "phone", "offline_access"]

    /// (Microsoft identity platform, "ID token claims reference", "Access token claims reference".)
    private static func completeEntra(_ claims: inout JSONObject, of approval: Approval) throws {
        claims["nbf"] = claims["iat"]
        claims["oid"] = .string(approval.entraObjectID)
        claims["tid"] = .string(approval.provider.entraTenant)
        claims["uti"] = .string(try randomBytes(16).base64url)
        claims["ver"] = "2.0"
        guard approval.scopes.contains("profile") else { return }
        let known = approval.person.claims
        claims["name"] = known["name"]
        claims["preferred_username"] = known["preferred_username"] ?? known["email"] ?? .string(approval.person.name)
    }
}

extension Approval {
    /// The identifier of the person in the tenant of Microsoft Entra ID: the claim `oid`, or one that follows from the subject.
    package var entraObjectID: String {
        if let known = person.claims["oid"]?.stringValue { return known }
        let digits = Array(SHA256.hash("object \(provider.entraTenant) \(person.subject)").prefix(16)).hex
        var (groups, rest): ([Substring], Substring) = ([], digits[...])
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return groups.joined(separator: "-")
    }
}

extension IdentityProvider {
    /// The tenant of an issuer of Microsoft Entra ID: the path before `/v2.0`.
    package var entraTenant: String { String(issuerPath.dropFirst()) }
}
