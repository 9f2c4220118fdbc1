import WireFormats

extension PolicyDocument {
    /// Rejects a trust policy that would accept the tokens of all customers of a shared identity provider. It must restrict whose tokens.
    /// IAM checks this when a trust policy is saved. (IAM User Guide, "Identity-provider controls for shared OIDC providers".)
    package func checkSharedProviders() throws(PolicySyntaxError) {
        for (index, statement) in statements.enumerated() where statement.effect == .allow {
            guard case .named(let principals) = statement.principals else { continue }
            for case .federated(let provider) in principals {
                guard let needed = SharedProvider(of: provider), !statement.conditions.contains(where: needed.isScoped) else { continue }
                throw PolicySyntaxError(
                    needed.message, at: "Statement[\(index)].Condition",
                    "Add a condition on one of \(needed.keys.joined(separator: ", ")) with an operator that is not negated.")
            }
        }
    }
}

/// An identity provider that issues tokens for many customers under one name.
private struct SharedProvider {
    /// The condition keys, one of which a statement needs.
    let keys: [String]
    /// The error message.
    let message: String

    /// - Parameter provider: the provider as a policy names it.
    init?(of provider: String) {
        switch provider {
        case "accounts.google.com": keys = ["aud", "oaud", "sub"].map { "\(provider):\($0)" }
        case "www.amazon.com", "graph.facebook.com": keys = ["app_id", "sub"].map { "\(provider):\($0)" }
        case "cognito-identity.amazonaws.com":
            keys = ["\(provider):aud"]
            message = "A condition block must be present for the Cognito provider"
            return
        default:
            guard let start = provider.firstRange(of: ":oidc-provider/")?.upperBound else { return nil }
            let name = String(provider[start...])
            guard let key = Self.keysByIssuer[name] else { return nil }
            keys = [key.contains(":") ? key : "\(name):\(key)"]
        }
        // Virga's own wording.
        message =
            "The trust policy for the shared identity provider \(provider) must have a condition on \(keys.joined(separator: " or "))."
    }

    /// Returns whether a condition restricts whose tokens are accepted. It must compare one of the keys, in this spelling, with more than
    /// wildcards.
    func isScoped(by condition: Condition) -> Bool {
        guard keys.contains(condition.key), !condition.condition.isNegated, !condition.condition.ifExists else { return false }
        switch condition.test {
        case .exactText, .foldedText: return !condition.wanted.contains { $0.isEmpty || $0 == "*" }
        case .textPattern: return !condition.wanted.contains { $0.allSatisfy { $0 == "*" || $0 == "?" } }
        default: return false
        }
    }

    /// The claim or condition key that policies for the issuer must check.
    private static let keysByIssuer = [
        "agent.buildkite.com": "sub", "api.pulumi.com/oidc": "aud", "app.terraform.io": "sub", "gitlab.com": "sub",
        "oidc-configuration.audit-log.githubusercontent.com": "sub", "oidc.codefresh.io": "sub", "oidc.vercel.com": "aud",
        "proidc.upbound.io": "sub", "sandboxes.cloud": "aud", "scalr.io": "sub", "studio.datachain.ai/api": "sub",
        "sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d": "sts:RoleSessionName", "token.actions.githubusercontent.com": "sub",
        "tokens.cloud.shisho.dev": "sub", "vstoken.actions.githubusercontent.com": "sub",
    ]
}
