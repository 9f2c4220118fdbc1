import WireFormats

extension SAMLCourse {
    func experiments(in walk: Walk) -> [Experiment] {
        guard walk.token != nil else { return [] }
        return assertions + requests + Experiment.files(at: .s3)
            + [Experiment.aging("PT1H5M", "An hour and five minutes pass", at: .s3)]
    }

    private func badAssertion(_ id: String, _ title: String, _ fault: String, _ expected: String) -> Experiment {
        Experiment(id, title, expected) { [self] actions, walk in
            let bad = try await assertion(for: personName(in: walk), fault: fault, by: actions)
            return try await assumeRole(order(of: walk), assertion: bad.text, by: actions)
        }
    }

    private var assertions: [Experiment] {
        [
            badAssertion("expired", "An expired assertion", "expired", "ExpiredTokenException"),
            badAssertion("recipient", "The assertion is for another recipient", "wrongRecipient", "AccessDenied"),
            badAssertion("audience", "The assertion is for another audience, which AWS does not check", "wrongAudience", "success"),
            badAssertion("issuer", "The assertion is of another issuer", "wrongIssuer", "InvalidIdentityToken"),
            badAssertion("unsigned", "Nothing is signed", "unsigned", "InvalidIdentityToken"),
            badAssertion("flipped", "One bit of the signature is flipped", "flippedSignatureBit", "InvalidIdentityToken"),
            badAssertion("sha1", "The signature uses SHA-1", "sha1", "InvalidIdentityToken"),
            badAssertion("other-key", "Another key made the signature", "otherKey", "InvalidIdentityToken"),
            Experiment("forged", "A name in the assertion is changed", "InvalidIdentityToken") { [self] actions, walk in
                let subject = provider.people.first { $0.name == personName(in: walk) }?.subject ?? ""
                let forged = (walk.token?.xml ?? "").replacing(">\(subject)<", with: ">\(subject)-other<")
                return try await assumeRole(order(of: walk), assertion: Array(forged.utf8).base64, by: actions)
            },
            Experiment("role", "The assertion names another role", "InvalidIdentityToken") { [self] actions, walk in
                let bad = try await assertion(
                    for: personName(in: walk), fault: nil, by: actions,
                    [
                        "attributes": [
                            "https://aws.amazon.com/SAML/Attributes/Role": [.string("\(provider.role)-other,\(provider.principal)")]
                        ]
                    ])
                return try await assumeRole(order(of: walk), assertion: bad.text, by: actions)
            },
        ]
    }

    private var requests: [Experiment] {
        [
            Experiment("trust", "The trust policy is for another audience", "AccessDenied") { [self] actions, walk in
                let order = order(of: walk)
                let keeper = keeper(actions)
                guard let role = try await keeper.roles().first(where: { $0.arn == order.roleARN }) else {
                    throw ConsoleRefusal(code: "no_role", message: "No role trusts this provider.")
                }
                let assertion = walk.token?.text ?? ""
                return try await actions.withPolicy({ WalkActions.replacingValues(in: $0, named: ["aud"]) }, of: role, keeper) {
                    try await assumeRole(order, assertion: assertion, by: actions)
                }
            },
            Experiment("session-policy", "The session policy denies everything", "AccessDenied") { [self] actions, walk in
                var order = order(of: walk)
                order.policy = WebIdentityCourse.denyingPolicy
                let exchange = try await assumeRole(order, assertion: walk.token?.text ?? "", by: actions)
                guard let credentials = actions.credentials(in: exchange, of: Self.operation) else { return exchange }
                return try await actions.send(
                    WalkActions.reading(Experiment.ownKey(of: walk), in: walk), as: .credentials(credentials), to: .s3)
            },
            Experiment("throttled", "STS throttles the call", "Throttling") { [self] actions, walk in
                let (order, assertion) = (order(of: walk), walk.token?.text ?? "")
                return try await actions.withFault(
                    ["service": "sts", "action": .string(Self.operation), "error": "Throttling", "times": 1]
                ) { try await assumeRole(order, assertion: assertion, by: actions) }
            },
        ]
    }

    /// The order of step 2, without what an earlier order changed on purpose.
    private func order(of walk: Walk) -> AssumeOrder {
        var order = AssumeOrder()
        order.roleARN = walk.order.roleARN.isEmpty ? provider.role : walk.order.roleARN
        return order
    }

    func programs(of page: WalkPage) -> [WalkProgram] {
        let walk = page.walk
        guard let token = walk.token?.text, !walk.order.roleARN.isEmpty else { return [] }
        let principal = walk.order.providerID.isEmpty ? provider.principal : walk.order.providerID
        return FilePrograms(page: page).assuming(
            Self.operation,
            [("RoleArn", walk.order.roleARN), ("PrincipalArn", principal), ("SAMLAssertion", token)])
    }
}
