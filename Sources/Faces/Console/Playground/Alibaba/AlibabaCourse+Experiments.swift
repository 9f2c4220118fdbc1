import WireFormats

extension AlibabaCourse {
    func experiments(in walk: Walk) -> [Experiment] {
        let store = walk.files.store
        let end = Experiment.aging("PT1H5M", "An hour and five minutes pass", at: store)
        let files = Experiment.files(at: store, otherKey: "bob/hello.txt").filter { experiment in
            // Without a session policy, the roles of the seed may read every folder.
            !walk.files.prefix.isEmpty || !["other-prefix", "no-prefix"].contains(experiment.id)
        }
        switch method {
        case .appServer: return appServer + (walk.credentials == nil ? [] : files + [end])
        case .assumeRole: return assuming + (walk.credentials == nil ? [] : files + [end])
        case .oidc: return walk.token == nil ? [] : tokens + (walk.credentials == nil ? [] : files + [end])
        case .selfSigned: return selfSigned
        }
    }

    private var appServer: [Experiment] {
        [
            Experiment("password", "The wrong password", "Unauthorized") { [self] actions, walk in
                try await askAppServer(walk.person ?? account.appServer?.people.first?.name ?? "", "wrong", by: actions)
            },
            Experiment("sts-throttled", "STS throttles the app server", "Throttling") { [self] actions, walk in
                let person = account.appServer?.people.first { $0.name == walk.person } ?? account.appServer?.people.first
                return try await actions.withFault(
                    ["service": "alibaba-sts", "action": "AssumeRole", "error": "Throttling", "times": 1]
                ) { try await askAppServer(person?.name ?? "", person?.password ?? "", by: actions) }
            },
        ]
    }

    private var assuming: [Experiment] {
        [
            Experiment("user-secret", "The wrong secret of the RAM user", "SignatureDoesNotMatch") { [self] actions, walk in
                try await assumeRole(order(of: walk), token: "", by: actions, secret: "wrong-secret")
            },
            Experiment("root", "The root user assumes a role", "NoPermission") { [self] actions, walk in
                let order = order(of: walk)
                let fields: FormFields = [
                    "Action": "AssumeRole", "Version": "2015-04-01", "Format": "JSON", "RoleArn": order.roleARN,
                    "RoleSessionName": order.sessionName,
                ]
                return try await actions.sender.form(
                    "Get credentials", as: .principal(account.root), service: "alibaba-sts", to: "/", fields)
            },
            trust, unknownRole,
            Experiment("session-policy", "The session policy denies everything", "AccessDenied") { [self] actions, walk in
                var order = order(of: walk)
                order.policy = "{\"Version\":\"1\",\"Statement\":[{\"Effect\":\"Deny\",\"Action\":\"*\",\"Resource\":\"*\"}]}"
                let exchange = try await assumeRole(order, token: "", by: actions)
                guard let credentials = credentials(in: exchange, actions) else { return exchange }
                return try await actions.send(
                    WalkActions.reading(Experiment.ownKey(of: walk), in: walk), as: .credentials(credentials), to: walk.files.store)
            },
            throttled,
        ]
    }

    private func badToken(_ id: String, _ title: String, _ fault: String, _ expected: String) -> Experiment {
        Experiment(id, title, expected) { [self] actions, walk in
            let bad = try await token(for: personName(in: walk), fault: fault, by: actions)
            return try await assumeRole(order(of: walk), token: bad.text, by: actions)
        }
    }

    private var tokens: [Experiment] {
        [
            badToken("expired", "An expired token", "expired", "AuthenticationFail.OIDCToken.Expired"),
            badToken(
                "flipped", "One bit of the signature is flipped", "flippedSignatureBit", "AuthenticationFail.OIDCToken.InvalidSignature"),
            badToken("other-key", "Another key made the signature", "otherKey", "AuthenticationFail.OIDCToken.InvalidSignature"),
            badToken("audience", "The token is for another application", "wrongAudience", "AuthenticationFail.OIDCToken.AudienceNotMatch"),
            badToken("issuer", "The issuer has a suffix", "wrongIssuer", "AuthenticationFail.OIDCToken.Invalid"),
            trust, unknownRole, throttled,
        ]
    }

    private var trust: Experiment {
        Experiment("trust", "The role trusts another account", "NoPermission") { [self] actions, walk in
            let order = order(of: walk)
            let keeper = keeper(actions)
            guard let role = try await keeper.roles().first(where: { $0.arn == order.roleARN }) else {
                throw ConsoleRefusal(code: "no_role", message: "The account has no such role.")
            }
            let token = walk.token?.text ?? ""
            let other: JSONValue = [
                "Version": "1",
                "Statement": [
                    ["Effect": "Allow", "Action": "sts:AssumeRole", "Principal": ["RAM": [.string("acs:ram::1555666677778888:root")]]]
                ],
            ]
            return try await actions.withPolicy({ _ in other }, of: role, keeper) {
                try await assumeRole(order, token: token, by: actions)
            }
        }
    }

    private var unknownRole: Experiment {
        Experiment("role", "There is no such role", "EntityNotExist.Role") { [self] actions, walk in
            var order = order(of: walk)
            order.roleARN += "-other"
            return try await assumeRole(order, token: walk.token?.text ?? "", by: actions)
        }
    }

    private var throttled: Experiment {
        Experiment("throttled", "STS throttles the call", "Throttling") { [self] actions, walk in
            let (order, token) = (order(of: walk), walk.token?.text ?? "")
            return try await actions.withFault(["service": "alibaba-sts", "error": "Throttling", "times": 1]) {
                try await assumeRole(order, token: token, by: actions)
            }
        }
    }

    private var selfSigned: [Experiment] {
        [
            Experiment("text", "The request differs from the signed text", "SignatureDoesNotMatch") { [self] actions, walk in
                let request = WalkActions.reading(Experiment.ownKey(of: walk), in: walk)
                let (exchange, headers) = try await sign(request, date: Timestamp.now().httpDate, by: actions, in: walk)
                guard exchange.isSuccess else { return exchange }
                return try await actions.sender.send(
                    "Delete with the signature of a read", service: "oss", signature: "none", "DELETE", request.target, headers: headers)
            },
            Experiment("skew", "The clock of the app is 20 minutes off", "RequestTimeTooSkewed") { [self] actions, walk in
                let request = WalkActions.reading(Experiment.ownKey(of: walk), in: walk)
                let date = (Timestamp.now() - .seconds(1_200)).httpDate
                let (exchange, headers) = try await sign(request, date: date, by: actions, in: walk)
                guard exchange.isSuccess else { return exchange }
                return try await actions.sender.send(
                    "Read with an old signature", service: "oss", signature: "none", "GET", request.target, headers: headers)
            },
            Experiment("unsigned", "Without a signature", "AccessDenied") { actions, walk in
                let request = WalkActions.reading(Experiment.ownKey(of: walk), in: walk)
                return try await actions.sender.send("Read without a signature", "GET", request.target, headers: ["x-oss-date": ""])
            },
            Experiment("server", "The app server fails", "InternalError") { [self] actions, walk in
                let request = WalkActions.reading(Experiment.ownKey(of: walk), in: walk)
                return try await actions.withFault(["service": "appserver", "error": "InternalError", "times": 1]) {
                    try await sign(request, date: Timestamp.now().httpDate, by: actions, in: walk).exchange
                }
            },
        ]
    }

    /// The order of step 2, without what an earlier order changed on purpose.
    private func order(of walk: Walk) -> AssumeOrder {
        var order = AssumeOrder()
        order.roleARN = walk.order.roleARN
        return order
    }
}
