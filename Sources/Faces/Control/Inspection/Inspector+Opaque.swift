import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Policy
import WireFormats

extension Inspector {
    private static let kinds: [(kind: Grant.Kind, name: String)] = [
        (.accessToken, "access token"), (.refreshToken, "refresh token"), (.code, "authorization code"),
    ]

    /// Inspects an opaque token or code of an identity provider. `nil` for a text that was not issued here, unless it looks like a token of
    /// Facebook, Amazon or GitHub.
    func inspect(opaque text: String) async throws -> Inspection? {
        for provider in cloud.directory.providers.values.sorted(by: { $0.name < $1.name }) {
            for (kind, name) in Self.kinds {
                guard let grant = try cloud.grants.look(up: text, kind: kind, at: provider.name) else { continue }
                return try await describe(grant, name, provider, text)
            }
        }
        guard let vendor = IdentityProvider.Kind.allCases.first(where: { $0.recognizes(text) })?.descriptor.pageName else { return nil }
        var found = Inspection("opaque_token")
        found.check("issued", false, "this sandbox did not issue this token of \(vendor), or it was revoked.")
        found.conclude("")
        return found
    }

    private func describe(_ grant: Grant, _ name: String, _ provider: IdentityProvider, _ text: String) async throws -> Inspection {
        var found = Inspection(grant.kind == .code ? "authorization_code" : "opaque_token")
        let end = cloud.clock.effectiveExpiry(grant.expires, issuedAt: grant.issued).iso8601
        found.decoded = [
            "type": .string(name), "provider": .string(provider.name), "client": .string(grant.client),
            "issued": .string(cloud.clock.effective(grant.issued).iso8601), "expires": .string(end),
            "scope": grant.details["scope"] ?? .null,
        ]
        if let audience = expected["audience"] {
            found.check("audience", grant.client == audience, "the client is \(grant.client); expected \(audience).")
        }
        try await check(text, grant.kind, name, provider, &found)
        if let person = provider.person(named: grant.person) {
            found.subject = ["provider": .string(provider.name), "person": .string(person.name), "subject": .string(person.subject)]
        }
        if grant.kind == .accessToken, let id = provider.kind.descriptor.providerID { try await findRoles(text, providerID: id, &found) }
        found.conclude("A valid \(name) of \(provider.name)\(grant.person.isEmpty ? "" : " for \(grant.person)").")
        return found
    }

    /// Inspects a session token of temporary credentials; `nil` for another text.
    func inspect(session text: String) -> Inspection? {
        guard let (session, checks) = services?.checkSession(text) else { return nil }
        var found = Inspection("session_token")
        let end = session.effectiveExpiry(by: cloud.clock).iso8601
        let holder = session.holder.name
        for var check in checks {
            let words =
                switch check.name {
                case "issued": "this sandbox issued the session token for the access key \(session.accessKeyID)."
                case "times": "the session expires at \(end); it is \(now)."
                case "holder": "the session '\(session.sessionName)' is of \(holder)."
                default: "accepted."
                }
            check.cause =
                switch check.name {
                case "times": "the session expired at \(end); it is \(now)."
                case "holder": "the session is of \(holder), which was removed."
                default: nil
                }
            found.check(check, passed: words)
        }
        found.decoded = [
            "accessKeyId": .string(session.accessKeyID), "issued": .string(session.effectiveIssue(by: cloud.clock).iso8601),
            "expires": .string(end),
            "claims": .object(JSONObject(session.claims.map { ($0.key, JSONValue.array($0.values.map(JSONValue.string))) })),
            "sessionPolicies": .array((session.sessionPolicies + session.sessionPolicyARNs + session.scopes).map(JSONValue.string)),
            "sourceIdentity": session.sourceIdentity.map(JSONValue.string) ?? .null,
        ]
        found.subject = ["holder": .string(holder), "sessionName": .string(session.sessionName)]
        found.conclude("A valid session token of \(holder).")
        return found
    }

    /// Inspects an encoded authorization message; `nil` for another text.
    func inspect(authorizationMessage text: String) -> Inspection? {
        guard let message = AuthorizationMessage.open(text, key: cloud.sealingKey) else { return nil }
        var found = Inspection("authorization_message")
        found.check("issued", true, "this sandbox encoded the message.")
        found.decoded = ["message": (try? JSONValue(parsing: message)) ?? .string(message)]
        found.conclude("The message of a denied request.")
        return found
    }

    /// Inspects a signed request of Facebook; `nil` for another text.
    func inspect(signedRequest text: String) -> Inspection? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let bytes = [UInt8](base64url: parts[1]), let payload = (try? JSONValue(parsing: bytes))?.objectValue,
            payload["algorithm"] != nil
        else { return nil }
        var found = Inspection("signed_request")
        found.decoded = ["payload": .object(payload), "signature": .string(String(parts[0]))]
        let clients = cloud.directory.providers.values.filter { $0.kind == .facebook }.flatMap(\.clients)
        let signer = clients.first { client in
            client.secret.map { hmacSHA256(key: Array($0.utf8), String(parts[1])).base64url == parts[0] } ?? false
        }
        found.check(
            "algorithm", payload["algorithm"] == "HMAC-SHA256", "the algorithm is \(payload["algorithm"]?.stringValue ?? "(none)").")
        found.check(
            "signature", signer != nil,
            signer.map { "the signature is of the secret of the app \($0.id)." } ?? "the signature is of no app of this sandbox.")
        found.conclude("A valid signed request for the app \(signer?.id ?? "").")
        return found
    }
}

extension IdentityProvider.Kind {
    /// Returns whether a text looks like an access token or a refresh token of a provider whose tokens are all opaque.
    fileprivate func recognizes(_ text: String) -> Bool {
        let descriptor = self.descriptor
        guard !descriptor.signsIDTokens else { return false }
        return [descriptor.accessToken.prefix, descriptor.refreshToken.prefix].contains { !$0.isEmpty && text.hasPrefix($0) }
    }
}

extension SessionCredentials.Holder {
    /// The ARN of the holder, or the account of a root user.
    fileprivate var name: String {
        switch self {
        case .role(let arn, _, _), .user(let arn, _): arn
        case .root(let account): account
        case .federatedUser(let name, let account, _): "arn:aws:sts::\(account):federated-user/\(name)"
        }
    }
}
