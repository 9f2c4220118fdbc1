import Directory
import WireFormats

extension WebIdentityCourse {
    func experiments(in walk: Walk) -> [Experiment] {
        guard walk.token != nil else { return [] }
        return (provider.isOpaque ? opaqueTokens : signedTokens(isRegistered: !provider.kind.isSocial))
            + requests + Experiment.files(at: .s3) + [wrongProviderID] + services + (provider.isOpaque ? [] : [rotation])
            + [Experiment.aging("PT1H5M", "An hour and five minutes pass", at: .s3)]
    }

    /// An experiment that sends a bad token.
    private func badToken(_ id: String, _ title: String, _ fault: String, _ expected: String) -> Experiment {
        Experiment(id, title, expected) { [self] actions, walk in
            let bad = try await token(for: personName(in: walk), type: "", fault: fault, by: actions)
            return try await assumeRole(try await order(of: walk, actions), token: bad.text, by: actions)
        }
    }

    private var opaqueTokens: [Experiment] {
        [
            badToken("expired", "An expired token", "expired", "IDPRejectedClaim"),
            badToken("revoked", "A token that the provider has revoked", "revoked", "IDPRejectedClaim"),
        ]
    }

    /// - Parameter isRegistered: whether the account lists the client IDs that it accepts, so that STS checks the audience itself.
    private func signedTokens(isRegistered: Bool) -> [Experiment] {
        [
            badToken("expired", "An expired token", "expired", "ExpiredTokenException"),
            badToken("flipped", "One bit of the signature is flipped", "flippedSignatureBit", "InvalidIdentityToken"),
            badToken("other-key", "Another key made the signature", "otherKey", "InvalidIdentityToken"),
            badToken("alg-none", "alg is none, and there is no signature", "algNone", "InvalidIdentityToken"),
            badToken("hs256", "alg is HS256 with the public key as secret", "hs256WithPublicKey", "InvalidIdentityToken"),
            badToken(
                "audience", "The token is for another application", "wrongAudience", isRegistered ? "InvalidIdentityToken" : "AccessDenied"),
            badToken("issuer", "The issuer has a suffix", "wrongIssuer", "InvalidIdentityToken"),
        ]
    }

    private var requests: [Experiment] {
        [
            Experiment("other-app", "The trust policy is for another application", "AccessDenied") { [self] actions, walk in
                let order = try await order(of: walk, actions)
                let keeper = keeper(actions)
                guard let role = try await keeper.roles().first(where: { $0.arn == order.roleARN }) else {
                    throw ConsoleRefusal(code: "no_role", message: "No role trusts this provider.")
                }
                let token = walk.token?.text ?? ""
                return try await actions.withPolicy({ WalkActions.replacingValues(in: $0, named: ["aud", "app_id"]) }, of: role, keeper) {
                    try await assumeRole(order, token: token, by: actions)
                }
            },
            Experiment("session-policy", "The session policy denies everything", "AccessDenied") { [self] actions, walk in
                var order = try await order(of: walk, actions)
                order.policy = Self.denyingPolicy
                let exchange = try await assumeRole(order, token: walk.token?.text ?? "", by: actions)
                guard let credentials = actions.credentials(in: exchange, of: Self.operation) else { return exchange }
                return try await actions.send(
                    WalkActions.reading(Experiment.ownKey(of: walk), in: walk), as: .credentials(credentials), to: .s3)
            },
        ]
    }

    /// A session policy that takes every permission away.
    static let denyingPolicy = """
        {"Version":"2012-10-17","Statement":[{"Effect":"Deny","Action":"*","Resource":"*"}]}
        """

    private var wrongProviderID: Experiment {
        let isAmazon = provider.kind == .amazon
        let other = (isAmazon ? IdentityProvider.Kind.facebook : .amazon).descriptor.providerID ?? ""
        return Experiment("provider-id", "The wrong ProviderId", isAmazon ? "IDPRejectedClaim" : "InvalidIdentityToken") {
            [self] actions, walk in
            var order = try await order(of: walk, actions)
            order.providerID = other
            return try await assumeRole(order, token: walk.token?.text ?? "", by: actions)
        }
    }

    private var services: [Experiment] {
        [
            Experiment("unreachable", "STS cannot reach the provider", "IDPCommunicationError") { [self] actions, walk in
                let (order, token) = (try await order(of: walk, actions), walk.token?.text ?? "")
                return try await actions.withFault(["service": .string(provider.name), "connection": "request", "times": "always"]) {
                    try await assumeRole(order, token: token, by: actions)
                }
            },
            Experiment("throttled", "STS throttles the call", "Throttling") { [self] actions, walk in
                let (order, token) = (try await order(of: walk, actions), walk.token?.text ?? "")
                return try await actions.withFault(
                    ["service": "sts", "action": .string(Self.operation), "error": "Throttling", "times": 1]
                ) { try await assumeRole(order, token: token, by: actions) }
            },
        ]
    }

    private var rotation: Experiment {
        Experiment("rotation", "The provider replaces its key at once", "InvalidIdentityToken") { [self] actions, walk in
            let fresh = try await token(for: personName(in: walk), type: "", fault: nil, by: actions)
            let answer = await actions.visit.client.post("/keys/rotate", ["provider": .string(provider.name), "overlap": "PT0S"])
            if let refusal = answer.refusal { throw refusal }
            walk.needsNewToken = true
            return try await assumeRole(try await order(of: walk, actions), token: fresh.text, by: actions)
        }
    }

    /// The order of step 2, without what an earlier order changed on purpose.
    private func order(of walk: Walk, _ actions: WalkActions) async throws -> AssumeOrder {
        var order = AssumeOrder()
        order.roleARN = walk.order.roleARN
        order.providerID = provider.providerID
        if order.roleARN.isEmpty {
            order.roleARN = try await keeper(actions).roles().first { provider.isTrusted(by: $0.trustPolicy) }?.arn ?? ""
        }
        return order
    }
}
