import Cloud
import Directory
import Federation
import WireFormats

extension Inspector {
    /// Adds the checks that a provider makes of one of its tokens or codes. Providers do not tell clients which of them failed.
    /// - Parameter name: what the text is, such as `refresh token`.
    func check(
        _ text: String, _ kind: Grant.Kind, _ name: String, _ provider: IdentityProvider, _ found: inout Inspection
    ) async throws {
        let grant = try cloud.grants.look(up: text, kind: kind, at: provider.name)
        let end = grant.map { cloud.clock.effectiveExpiry($0.expires, issuedAt: $0.issued).iso8601 } ?? ""
        func passed(_ check: String) -> String {
            switch check {
            case "issued": "\(provider.name) issued this \(name) to the client \(grant?.client ?? "")."
            case "unused": "the \(name) can still be used."
            case "times": "the \(name) expires at \(end); it is \(now)."
            case "key": "\(provider.name) publishes the key of the signature."
            case "client": "\(provider.name) has the client \(grant?.client ?? "")."
            case "password": "the user has not changed the password since."
            case "user": "\(provider.name) accepts the user \(grant?.person ?? "")."
            default: "accepted."
            }
        }
        if provider.kind == .facebook, kind == .accessToken {
            for check in try FacebookToken.checks(of: text, at: provider, in: cloud) {
                let failed: String? =
                    switch check.error {
                    case .unknown: words(forUnknown: name, provider)
                    case .notAuthorized(let client): "the user has not authorized the app \(client.id), or revoked it."
                    case .expired: "the \(name) expired at \(end); it is \(now)."
                    case .checkpoint: "the user must pass a checkpoint first."
                    case .passwordChanged: "the user has changed the password since."
                    case .unconfirmed: "the user has not confirmed the account."
                    case nil: nil
                    }
                found.check(check.name, failed == nil, failed ?? passed(check.name))
            }
            return
        }
        for check in try await GrantVerifier(provider: provider, cloud: cloud).checks(of: text, kind: kind) {
            let failed: String? =
                switch check.error {
                case .unknown: words(forUnknown: name, provider)
                case .spent: "the \(name) was used; it is accepted once."
                case .expired: "the \(name) expired at \(end); it is \(now)."
                case .withoutKey: "\(provider.name) does not publish the key of the signature any more."
                case .withoutClient: "\(provider.name) has no client '\(grant?.client ?? "")' any more."
                case .withoutPerson: "\(provider.name) has no person '\(grant?.person ?? "")' any more."
                case .disabledPerson: "\(provider.name) has disabled the person '\(grant?.person ?? "")'."
                case nil: nil
                }
            found.check(check.name, failed == nil, failed ?? passed(check.name))
        }
    }

    private func words(forUnknown name: String, _ provider: IdentityProvider) -> String {
        "\(provider.name) has no record of this \(name): it was revoked, or changed after it was issued."
    }
}
