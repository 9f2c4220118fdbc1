import HTTPTypes
import WireFormats

extension MobileCourse {
    func experiments(in walk: Walk) -> [Experiment] {
        guard backend.obstacle(to: method) == nil, stations.hasToken ? walk.token != nil : walk.person != nil else { return [] }
        switch method {
        case .basic: return basic
        case .oauth: return oauth
        case .saml: return saml
        case .jwt: return jwt
        case .sso: return sso
        case .facebook: return facebook
        }
    }

    private var basic: [Experiment] {
        [
            Experiment("password", "The wrong password", "MOBILE-58003") { [self] actions, walk in
                try await profile(actions, walk) { $0.signer = .basic(username: login.name, password: "wrong") }
            },
            Experiment("no-backend", "No backend in the header", "MOBILE-58001") { [self] actions, walk in
                try await profile(actions, walk) { $0.headers["Oracle-Mobile-Backend-ID"] = nil }
            },
            Experiment("other-backend", "There is no such backend", "MOBILE-58026") { [self] actions, walk in
                try await profile(actions, walk) { $0.headers["Oracle-Mobile-Backend-ID"] = "no-such-backend" }
            },
            Experiment("anonymous", "The request has no credentials", "MOBILE-58002") { [self] actions, walk in
                try await profile(actions, walk) { $0.signer = .anonymous }
            },
            off("basic", "HTTP Basic is off", "MOBILE-58005") { [self] actions, walk in try await profile(actions, walk) },
        ]
    }

    private var oauth: [Experiment] {
        [
            Experiment("password", "The wrong password", "invalid_grant") { [self] actions, walk in
                try await passwordGrant(login.name, "wrong", by: actions)
            },
            Experiment("secret", "The wrong secret of the app", "invalid_client") { [self] actions, walk in
                try await passwordGrant(login.name, login.password, secret: "wrong", by: actions)
            },
            off("oauth", "OAuth Consumer is off", "unauthorized_client") { [self] actions, walk in
                try await passwordGrant(login.name, login.password, by: actions)
            },
        ] + tokens(aging: "PT8H1M")
    }

    private var saml: [Experiment] {
        [
            ("expired", "An expired assertion", "expired"), ("early", "An assertion that is not valid yet", "notYetValid"),
            ("audience", "The assertion is for another audience", "wrongAudience"),
            ("issuer", "The assertion is of another issuer", "wrongIssuer"),
            ("unsigned", "The assertion is not signed", "unsignedAssertion"),
            ("flipped", "One bit of the signature is flipped", "flippedSignatureBit"),
            ("other-key", "Another key made the signature", "otherKey"),
        ].map { id, title, fault in
            Experiment(id, title, "MOBILE-58004") { [self] actions, walk in
                try await exchange(saml: try await assertion(for: user, fault: fault, by: actions), by: actions)
            }
        } + [
            off("basic", "HTTP Basic is off", "MOBILE-58005") { [self] actions, walk in
                try await exchange(saml: try await assertion(for: user, fault: nil, by: actions), by: actions)
            }
        ] + tokens(aging: "PT8H1M")
    }

    private var jwt: [Experiment] {
        [
            ("expired", "An expired JWT", "expired"), ("flipped", "One bit of the signature is flipped", "flippedSignatureBit"),
            ("other-key", "Another key made the signature", "otherKey"),
            ("audience", "The JWT is for another application", "wrongAudience"),
            ("issuer", "The issuer has a suffix", "wrongIssuer"),
        ].map { id, title, fault in
            Experiment(id, title, "invalid_grant") { [self] actions, walk in
                try await exchange(jwt: try await idToken(for: user, fault: fault, by: actions), by: actions)
            }
        } + [
            Experiment("secret", "The wrong secret of the app", "invalid_client") { [self] actions, walk in
                try await exchange(jwt: try await idToken(for: user, fault: nil, by: actions), secret: "wrong", by: actions)
            },
            off("oauth", "OAuth Consumer is off", "unauthorized_client") { [self] actions, walk in
                try await exchange(jwt: try await idToken(for: user, fault: nil, by: actions), by: actions)
            },
            virtualUserOff,
        ] + tokens(aging: "PT8H1M")
    }

    private var sso: [Experiment] {
        [
            off("sso", "Single sign-on is off", "MOBILE-58005") { [self] actions, walk in
                let target = "/mobile/platform/sso/token?clientID=\(percentEncoded(backend.clientID))&format=json"
                return try await actions.sender.send("Ask for a token", "GET", target)
            },
            Experiment("client", "There is no such client", "MOBILE-58026") { actions, walk in
                try await actions.sender.send(
                    "Ask for a token", "GET", "/mobile/platform/sso/token?clientID=no-such-client&format=json")
            },
        ] + tokens(aging: "PT12H")
    }

    private var facebook: [Experiment] {
        [
            Experiment("expired", "An expired token of Facebook", "MOBILE-58006") { [self] actions, walk in
                let bad = try await idToken(for: user, fault: "expired", by: actions)
                return try await social(actions, walk) { $0.headers["Oracle-Mobile-Social-Access-Token"] = bad }
            },
            Experiment("garbage", "A token that Facebook does not know", "MOBILE-58006") { [self] actions, walk in
                try await social(actions, walk) { $0.headers["Oracle-Mobile-Social-Access-Token"] = "unknown" }
            },
            Experiment("provider", "Another social provider", "MOBILE-58006") { [self] actions, walk in
                try await social(actions, walk) { $0.headers["Oracle-Mobile-Social-Identity-Provider"] = "myspace" }
            },
            Experiment("no-key", "No anonymous key", "MOBILE-58002") { [self] actions, walk in
                try await social(actions, walk) { $0.headers["Authorization"] = nil }
            },
            Experiment("unreachable", "Facebook cannot be reached", "MOBILE-58009") { [self] actions, walk in
                try await actions.withFault(["service": "facebook", "connection": "request", "times": "always"]) {
                    try await social(actions, walk) { _ in }
                }
            },
        ]
    }

    // MARK: What experiments send

    private func profile(
        _ actions: WalkActions, _ walk: Walk, changing change: (inout MobileCredential) -> Void = { _ in }
    ) async throws -> Exchange {
        try await call("Call users/~", Self.profilePath, by: actions, in: walk, changing: change)
    }

    private func social(
        _ actions: WalkActions, _ walk: Walk, changing change: (inout MobileCredential) -> Void
    ) async throws -> Exchange {
        let path = backend.apis.first { $0.access == "social" }?.path ?? Self.profilePath
        return try await call("Call \(path)", path, by: actions, in: walk, changing: change)
    }

    /// Experiments with a token of the mobile cloud. The last one ages it.
    private func tokens(aging duration: String) -> [Experiment] {
        [
            Experiment("changed", "A claim in the token is changed", "MOBILE-58004") { [self] actions, walk in
                let parts = (walk.token?.text ?? "").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
                let changed = parts.count == 3 ? "\(parts[0]).\(parts[1].dropLast(2))AA.\(parts[2])" : "x"
                return try await profile(actions, walk) { $0.signer = .bearer(changed) }
            },
            Experiment("age", "Time passes until the token has expired", "MOBILE-58004") { [self] actions, walk in
                try await actions.age(duration, &walk)
                walk.needsNewToken = true
                return try await profile(actions, walk)
            },
        ]
    }

    /// Switches a member of the backend off, sends a request, and restores the backend.
    private func off(_ member: String, _ title: String, _ expected: String, _ body: @escaping Experiment.Act) -> Experiment {
        Experiment("off-\(member)", title, expected) { [self] actions, walk in
            let path = "/mobile/backends/\(percentEncoded(backend.key))"
            let original = await actions.visit.client.get(path)
            guard var changed = original.json.objectValue else {
                throw original.refusal ?? ConsoleRefusal(code: "no_backend", message: "The backend does not exist any more.")
            }
            // Members that the control API computes.
            for name in ["environmentURLs", "anonymousKey"] { changed[name] = nil }
            let restored = JSONValue.object(changed)
            changed[member] = false
            if member == "oauth" { changed["sso"] = false }
            let answer = await actions.visit.client.call(.put, path, .object(changed))
            if let refusal = answer.refusal { throw refusal }
            do {
                let exchange = try await body(actions, &walk)
                _ = await actions.visit.client.call(.put, path, restored)
                return exchange
            } catch {
                _ = await actions.visit.client.call(.put, path, restored)
                throw error
            }
        }
    }

    /// Switches virtual users off, so that the user of the JWT must have an account.
    private var virtualUserOff: Experiment {
        Experiment("virtual", "Virtual users are off, and the person has no account", "invalid_grant") { [self] actions, walk in
            let path = "/mobile/policies/Security_AuthTokenConfiguration"
            let original = await actions.visit.client.get(path).json["value"]?.stringValue ?? ""
            guard let policy = try? JSONValue(parsing: original) else {
                throw ConsoleRefusal(code: "no_policy", message: "The policy Security_AuthTokenConfiguration is not JSON.")
            }
            // Only people without an account are refused.
            let person =
                provider?.people.last { one in !backend.users.contains { $0.name == one.name } && one.name == "nina" }?.name ?? user
            let token = try await idToken(for: person, fault: nil, by: actions)
            func set(_ value: String) async throws {
                let answer = await actions.visit.client.call(.put, path, ["value": .string(value)])
                if let refusal = answer.refusal { throw refusal }
                // Longer than the policy's reload interval.
                try await actions.age("PT2M1S", &walk)
            }
            try await set(Self.replacing("virtualUserEnabled", in: policy, with: false).serialized())
            do {
                let exchange = try await exchange(jwt: token, by: actions)
                try await set(original)
                return exchange
            } catch {
                try await set(original)
                throw error
            }
        }
    }

    private static func replacing(_ name: String, in value: JSONValue, with replacement: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        (member.name, member.name == name ? replacement : replacing(name, in: member.value, with: replacement))
                    }))
        case .array(let elements): .array(elements.map { replacing(name, in: $0, with: replacement) })
        default: value
        }
    }

    func renew(by actions: WalkActions, in walk: inout Walk) async throws {
        guard method != .sso else { return }
        let results = walk.results
        try await logIn(by: actions, in: &walk)
        walk.results = results
    }

    // MARK: As code

    func programs(of page: WalkPage) -> [WalkProgram] {
        let walk = page.walk
        guard stations.hasToken ? walk.token != nil : walk.person != nil else { return [] }
        let url = CodeExport.shell(
            page.visit.place.services + (method == .facebook ? backend.apis.first { $0.access == "social" }?.path ?? "" : Self.profilePath))
        let header: (String) -> String = { "--header \(CodeExport.shell($0))" }
        var options: [String] = []
        switch method {
        case .basic:
            options = [
                "--user \(CodeExport.shell("\(login.name):\(login.password)"))", header("Oracle-Mobile-Backend-ID: \(backend.id)"),
            ]
        case .facebook:
            options = [
                header("Authorization: Basic \(backend.anonymousKey)"), header("Oracle-Mobile-Backend-ID: \(backend.id)"),
                header("Oracle-Mobile-Social-Identity-Provider: facebook"),
                header("Oracle-Mobile-Social-Access-Token: \(walk.token?.text ?? "")"),
            ]
        default: options = [header("Authorization: Bearer \(walk.token?.text ?? "")")]
        }
        return [WalkProgram(name: "curl", code: "curl --silent " + options.map { "\($0) \\\n  " }.joined() + url)]
    }
}
