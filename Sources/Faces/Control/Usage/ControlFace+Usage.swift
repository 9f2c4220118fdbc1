import Calls
import Cloud
import HTTPTypes
import Policy
import WireFormats

extension ControlFace {
    private static let listedQuestions = 1...10_000

    /// `/_virga/usage`: GET lists the distinct requests that policies decided, PUT turns recording on or off, DELETE forgets them.
    func answerUsage(_ call: Call) async throws -> Response {
        let usage = call.cloud.usage
        switch call.method {
        case .put:
            let body = try await body(of: call)
            try body.expect(only: ["enabled"])
            guard let enabled = body["enabled"]?.boolValue else {
                throw ControlError(.badRequest, "missing_member", "Send {\"enabled\":true} or {\"enabled\":false}.")
            }
            usage.isEnabled = enabled
            return .json(["status": "ok"])
        case .delete:
            usage.removeAll()
            return .json(["status": "ok"])
        default: return try listUsage(call)
        }
    }

    private func listUsage(_ call: Call) throws -> Response {
        let query = try Self.query(of: call, known: ["caller", "limit"])
        let limit = try query.first("limit").map { text in
            guard let limit = Int(digits: text), Self.listedQuestions.contains(limit) else {
                throw ControlError(.badRequest, "malformed_filter", "'limit' must be a number from 1 to 10000.")
            }
            return limit
        }
        let usage = call.cloud.usage
        let contents = usage.contents
        let pattern = query.first("caller").map { CallPattern([.caller: $0]) }
        let questions = contents.questions.filter { pattern?.matches(caller: $0.request.context.principal.name) ?? true }
        return .json([
            "enabled": .bool(contents.isEnabled), "complete": .bool(contents.isComplete), "bytes": .integer(Int64(contents.bytes)),
            "capacity": .integer(Int64(usage.capacity)), "total": .integer(Int64(questions.count)),
            "questions": .array(questions.prefix(limit ?? 1000).map(\.json)),
        ])
    }

    /// `GET /_virga/usage/policy?principal=ARN`: returns the least policy for what a role, a user or a root user was allowed to do.
    func leastPolicy(_ call: Call) throws -> Response {
        let query = try Self.query(of: call, known: ["principal"])
        guard let arn = query.first("principal"), !arn.isEmpty else {
            throw ControlError(.badRequest, "missing_filter", "Add ?principal= with the ARN of a role, a user or a root user.")
        }
        let contents = call.cloud.usage.contents
        let recorded = contents.questions.filter { $0.request.context.principal.isSession(of: arn) }
        guard !recorded.isEmpty else {
            let advice =
                contents.isEnabled ? "" : " Recording is off; start virga with --usage, or send PUT /_virga/usage {\"enabled\":true}."
            throw ControlError(.notFound, "unknown_caller", "No request of '\(arn)' was recorded.\(advice)")
        }
        let least = LeastPolicy(of: recorded.map { ($0.request, $0.isServed) })
        return .json([
            "principal": .string(arn), "complete": .bool(contents.isComplete), "policy": least.json ?? .null,
            "notes": .array(least.notes.map(JSONValue.string)),
            "proof": [
                "requests": .integer(Int64(least.proof.requests)), "allowed": .integer(Int64(least.proof.allowed)),
                "denied": .integer(Int64(least.proof.denied)), "failures": .array(least.proof.failures.map(JSONValue.string)),
            ],
        ])
    }

    /// `GET /_virga/usage/coverage`: returns what each statement of each policy did in the recorded requests.
    func policyCoverage(_ call: Call) throws -> Response {
        _ = try Self.query(of: call, known: [])
        let coverage = PolicyCoverage(of: call.cloud)
        let counts: [(String, JSONValue)] = [PolicyCoverage.Use.decided, .applied, .never].map {
            ($0.rawValue, .integer(Int64(coverage.count($0))))
        }
        return .json([
            "complete": .bool(coverage.isComplete), "requests": .integer(Int64(coverage.requests)),
            "statements": .object(JSONObject(counts)), "policies": .array(coverage.policies.map(\.json)),
        ])
    }

    /// Returns the query of a call, which may have only known parameters.
    private static func query(of call: Call, known: [String]) throws(ControlError) -> FormFields {
        guard let query = call.queryFields else {
            throw ControlError(.badRequest, "malformed_filter", "The query is not well encoded.")
        }
        if let unknown = query.fields.first(where: { !known.contains($0.name) }) {
            let expected = known.isEmpty ? "none is expected" : "expected \(known.joined(separator: ", "))"
            throw ControlError(.badRequest, "unknown_filter", "Unknown filter '\(unknown.name)'; \(expected).")
        }
        return query
    }
}

extension Principal {
    /// Returns whether a principal with an ARN made the request, itself or in a session.
    fileprivate func isSession(of arn: String) -> Bool {
        switch identity {
        case .assumedRole(let roleARN, _, _): roleARN == arn || name == arn
        case .federatedUser(_, let userARN, _): userARN == arn || name == arn
        case .anonymous, .root, .user, .federated, .service: name == arn
        }
    }
}

extension Usage.Question {
    fileprivate var json: JSONValue {
        let context = request.context
        let keys = context.keys.all.map { ($0.name, JSONValue.array($0.values.all.map(JSONValue.string))) }
        return [
            "caller": .string(context.principal.name), "operation": .string(operation), "action": .string(context.action),
            "resource": .string(context.resource), "allowed": .bool(request.isAllowed), "served": .bool(isServed),
            "count": .integer(Int64(count)), "context": .object(JSONObject(keys)),
            "policies": .array(
                request.attached.map { type, policy in ["policy_type": .string(type.rawValue), "policy": .string(policy.label)] }),
        ]
    }
}

extension PolicyCoverage.CoveredPolicy {
    fileprivate var json: JSONValue {
        [
            "policy_type": .string(type.rawValue), "policy": .string(name), "holder": .string(holder), "file": .string(file),
            "document": document.json,
            "statements": .array(
                statements.enumerated().map { index, statement in
                    [
                        "statement": .integer(Int64(index + 1)), "sid": statement.sid.map(JSONValue.string) ?? .null,
                        "effect": statement.isDeny ? "Deny" : "Allow", "line": .integer(Int64(statement.line)),
                        "use": .string(statement.use.rawValue), "applied": .integer(Int64(statement.applied)),
                        "decided": .integer(Int64(statement.decided)),
                    ]
                }),
        ]
    }
}
