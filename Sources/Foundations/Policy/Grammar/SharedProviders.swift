import WireFormats

extension PolicyDocument {
    /// Rejects a trust policy that would accept the tokens of all customers of a shared identity provider. It must restrict whose tokens.
    /// IAM checks this when a trust policy is saved. (IAM User Guide, "Identity-provider controls for shared OIDC providers"; the details are
    /// those of recorded answers of AWS.)
    package func checkSharedProviders() throws(PolicySyntaxError) {
        for (index, statement) in statements.enumerated() where statement.effect == .allow {
            guard case .named(let principals) = statement.principals else { continue }
            guard statement.actions.covers("sts:assumerolewithwebidentity", letterCase: .isIgnored, in: ConditionKeys()) else { continue }
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
    /// The values that restrict nothing.
    private enum Unrestricted {
        /// A text that is empty or has only wildcards.
        case wildcards
        /// The text `*`.
        case star
        /// A text that begins with `*`, or is blank.
        case leadingStar

        func includes(_ value: String) -> Bool {
            switch self {
            case .wildcards: value.utf8.allSatisfy { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
            case .star: value == "*"
            case .leadingStar: value.hasPrefix("*") || value.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
            }
        }
    }

    /// The condition keys, one of which a statement needs.
    let keys: [String]
    /// The error message.
    let message: String
    /// Whether the keys must have this spelling, and be compared without wildcards.
    private var isExact = false
    private var unrestricted = Unrestricted.star

    /// - Parameter provider: the provider as a policy names it.
    init?(of provider: String) {
        switch provider {
        case "accounts.google.com": keys = ["aud", "oaud", "sub"].map { "\(provider):\($0)" }
        case "www.amazon.com", "graph.facebook.com": keys = ["app_id", "sub"].map { "\(provider):\($0)" }
        case "cognito-identity.amazonaws.com":
            keys = ["\(provider):aud"]
            message = "A condition block must be present for the Cognito provider"
            unrestricted = .wildcards
            return
        default:
            guard let start = provider.firstRange(of: ":oidc-provider/")?.upperBound else { return nil }
            let name = String(provider[start...])
            guard let claims = Self.claims(of: name) else { return nil }
            keys = claims.map { $0.contains(":") ? $0 : "\(name):\($0)" }
            if name.hasPrefix(Self.gitHub) { unrestricted = .leadingStar }
        }
        isExact = !provider.hasPrefix("arn:")
        // Virga's own wording.
        message =
            "The trust policy for the shared identity provider \(provider) must have a condition on \(keys.joined(separator: " or "))."
    }

    /// Returns whether a condition restricts whose tokens are accepted. It must compare one of the keys with values that restrict something.
    func isScoped(by condition: Condition) -> Bool {
        guard !condition.condition.isNegated, !condition.condition.ifExists else { return false }
        guard keys.contains(where: { isExact ? $0 == condition.key : $0.lowercased() == condition.lookupKey }) else { return false }
        switch condition.test {
        case .exactText, .foldedText: break
        case .textPattern where !isExact: break
        default: return false
        }
        return !condition.wanted.contains(where: unrestricted.includes)
    }

    private static let gitHub = "token.actions.githubusercontent.com"

    /// Returns the claims of an issuer, one of which policies must check; `nil` for an issuer that is not shared. The issuer of GitHub Actions
    /// may have a path, that of an enterprise.
    private static func claims(of issuer: String) -> [String]? {
        issuer.hasPrefix(gitHub) ? ["sub", "job_workflow_ref"] : claimsByIssuer[issuer].map { [$0] }
    }

    /// The claim or condition key that policies for the issuer must check.
    private static let claimsByIssuer: [String: String] = {
        var claims = [
            "agent.buildkite.com": "sub", "api.pulumi.com/oidc": "aud", "app.terraform.io": "sub", "gitlab.com": "sub",
            "oidc-configuration.audit-log.githubusercontent.com": "sub", "oidc.codefresh.io": "sub", "oidc.vercel.com": "aud",
            "proidc.upbound.io": "sub", "sandboxes.cloud": "aud", "scalr.io": "sub", "studio.datachain.ai/api": "sub",
            "sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d": "sts:RoleSessionName",
            "tokens.cloud.shisho.dev": "sub", "vstoken.actions.githubusercontent.com": "sub",
        ]
        // IBM Turbonomic SaaS.
        for path in ["2f785sojlpb85i7402pk3qogugim5nfb", "2c51blsaqa9gkjt0o9rt11mle8mmropu"] {
            claims["oidc.op1.openshiftapps.com/\(path)"] = "sub"
        }
        for path in [
            "22ejnvnnturfmt6km08idd0nt4hekbn7", "23e3sd27sju1hoou6ohfs68vbno607tr", "23ne21h005qjl3n33d8dui5dlrmv2tmg",
            "24jrf12m5dj7ljlfb4ta2frhrcoadm26",
        ] { claims["rh-oidc.s3.us-east-1.amazonaws.com/\(path)"] = "sub" }
        return claims
    }()
}
