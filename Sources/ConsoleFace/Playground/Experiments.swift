import Calls
import HTTPTypes
import WireFormats

/// Runs experiments and compares the answer with the expected one.
struct Experiments {
    let actions: WalkActions

    private var sender: Sender { actions.sender }

    /// Runs the experiment of the form.
    func run(in walk: inout Walk) async throws -> String {
        let id = actions.field("experiment")
        guard let experiment = Experiment.all(for: walk.provider).first(where: { $0.id == id }) else {
            throw ConsoleRefusal(code: "not_found", message: "There is no such experiment.", status: .notFound)
        }
        let exchange = try await perform(experiment.act, &walk)
        walk.results[id] = ExperimentResult(
            actual: exchange.code, message: exchange.refusal?.message ?? "", number: exchange.number,
            isAsExpected: experiment.expected.contains(exchange.code))
        return "#try-\(id)"
    }

    private func perform(_ act: Experiment.Act, _ walk: inout Walk) async throws -> Exchange {
        var order = try await order(of: walk)
        let token = walk.token?.text ?? ""
        switch act {
        case .badToken(let fault):
            let bad = try await actions.token(person: actions.personName(in: walk), fault: fault, in: walk)
            return try await actions.assumeRole(order, token: bad.text)
        case .wrongProviderID:
            order.providerID = walk.provider.kind == "amazon" ? "graph.facebook.com" : "www.amazon.com"
            return try await actions.assumeRole(order, token: token)
        case .otherApplication: return try await withOtherApplication(order, token, &walk)
        case .denyingSessionPolicy:
            order.policy = "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Deny\",\"Action\":\"*\",\"Resource\":\"*\"}]}"
            let assumption = try await actions.assumeRole(order, token: token)
            guard let credentials = WalkActions.credentials(in: assumption, at: actions.info.nowMilliseconds) else { return assumption }
            return try await read(ownKey(of: walk), walk, credentials)
        case .otherPrefix:
            return try await read(walk.files.others.first ?? "other-person/notes.txt", walk, try credentials(of: walk))
        case .listingWithoutPrefix:
            return try await sender.send(
                "List without a prefix", as: .credentials(try credentials(of: walk)), service: "s3", "GET",
                "/\(walk.files.bucket)?list-type=2")
        case .wrongSecret:
            var credentials = try credentials(of: walk)
            credentials.secretAccessKey = String(credentials.secretAccessKey.reversed())
            return try await read(ownKey(of: walk), walk, credentials)
        case .cutSessionToken:
            var credentials = try credentials(of: walk)
            credentials.sessionToken = String(credentials.sessionToken.dropLast(12))
            return try await read(ownKey(of: walk), walk, credentials)
        case .keyRotation:
            let fresh = try await actions.token(person: actions.personName(in: walk), fault: nil, in: walk)
            let answer = await actions.visit.client.post("/keys/rotate", ["provider": .string(walk.provider.name), "overlap": "PT0S"])
            if let refusal = answer.refusal { throw refusal }
            walk.needsNewToken = true
            return try await actions.assumeRole(order, token: fresh.text)
        case .unreachableProvider:
            try await addFault(["service": .string(walk.provider.name), "connection": "request", "times": "always"])
            return try await withoutFaults { try await actions.assumeRole(order, token: token) }
        case .throttling:
            try await addFault(["service": "sts", "action": "AssumeRoleWithWebIdentity", "error": "Throttling", "times": 1])
            return try await withoutFaults { try await actions.assumeRole(order, token: token) }
        case .ageing:
            let credentials = try credentials(of: walk)
            let answer = await actions.visit.client.post("/clock", ["age": "PT1H5M"])
            if let refusal = answer.refusal { throw refusal }
            walk.hasAged = true
            return try await read(ownKey(of: walk), walk, credentials)
        }
    }

    // MARK: What is sent

    /// The order of step 2, without what an earlier order changed on purpose.
    private func order(of walk: Walk) async throws -> AssumeOrder {
        var order = AssumeOrder()
        order.roleARN = walk.order.roleARN
        order.providerID = walk.provider.providerID
        if order.roleARN.isEmpty {
            order.roleARN = try await actions.roles.roles().first { walk.provider.isTrusted(by: $0.trustPolicy) }?.arn ?? ""
        }
        return order
    }

    private func credentials(of walk: Walk) throws -> WalkCredentials {
        guard let credentials = walk.credentials else {
            throw ConsoleRefusal(code: "no_credentials", message: "Get credentials in step 2 first. This experiment uses them.")
        }
        return credentials
    }

    private func ownKey(of walk: Walk) -> String { walk.files.own.first ?? "\(walk.files.prefix)hello.txt" }

    private func read(_ key: String, _ walk: Walk, _ credentials: WalkCredentials) async throws -> Exchange {
        try await sender.send("Read \(key)", as: .credentials(credentials), service: "s3", "GET", actions.target(key, in: walk))
    }

    // MARK: What is changed for a moment

    /// Changes the audience in the trust policy, sends the request, and restores the policy.
    private func withOtherApplication(_ order: AssumeOrder, _ token: String, _ walk: inout Walk) async throws -> Exchange {
        guard let role = try await actions.roles.roles().first(where: { $0.arn == order.roleARN }),
            let policy = try? JSONValue(parsing: role.trustPolicy)
        else { throw ConsoleRefusal(code: "no_role", message: "No role trusts this provider.") }
        let place = Walk.PolicyPlace(role: role.name, policy: nil)
        let changed = Self.replacingValues(in: policy, named: ["aud", "app_id"])
        let saved = try await actions.roles.put(changed.serialized(), at: place)
        guard saved.isSuccess else { return saved }
        do {
            let exchange = try await actions.assumeRole(order, token: token)
            _ = try await actions.roles.put(role.trustPolicy, at: place)
            return exchange
        } catch {
            _ = try await actions.roles.put(role.trustPolicy, at: place)
            throw error
        }
    }

    /// Replaces the values of condition keys that end in one of the names.
    private static func replacingValues(in value: JSONValue, named names: [String]) -> JSONValue {
        switch value {
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        let isNamed = names.contains { member.name.hasSuffix(":\($0)") }
                        return (member.name, isNamed ? "another-application" : replacingValues(in: member.value, named: names))
                    }))
        case .array(let elements): .array(elements.map { replacingValues(in: $0, named: names) })
        default: value
        }
    }

    private func addFault(_ rule: JSONObject) async throws {
        var rule = rule
        rule["name"] = .string(WalkActions.faultName)
        let answer = await actions.visit.client.post("/faults", .object(rule))
        if let refusal = answer.refusal { throw refusal }
    }

    private func withoutFaults(_ body: () async throws -> Exchange) async throws -> Exchange {
        do {
            let exchange = try await body()
            await actions.removeFaults()
            return exchange
        } catch {
            await actions.removeFaults()
            throw error
        }
    }
}
