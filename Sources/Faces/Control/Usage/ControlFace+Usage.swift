import Calls
import Cloud
import ControlDocuments
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
        return .json(
            Document<UsageMembers> {
                [
                    $0.enabled(contents.isEnabled), $0.complete(contents.isComplete), $0.bytes(contents.bytes),
                    $0.capacity(usage.capacity), $0.total(questions.count),
                    $0.questions(questions.prefix(limit ?? 1000).map(\.document)),
                ]
            }.json)
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
        let proof = Document<ProofMembers> {
            [
                $0.requests(least.proof.requests), $0.allowed(least.proof.allowed), $0.denied(least.proof.denied),
                $0.failures(least.proof.failures),
            ]
        }
        return .json(
            Document<LeastPolicyMembers> {
                [
                    $0.principal(arn), $0.complete(contents.isComplete), $0.policy(least.json ?? .null), $0.notes(least.notes),
                    $0.proof(proof),
                ]
            }.json)
    }

    /// `GET /_virga/usage/coverage`: returns what each statement of each policy did in the recorded requests. `policy` and `file` select
    /// policies.
    func policyCoverage(_ call: Call) throws -> Response {
        let query = try Self.query(of: call, known: ["policy", "file"])
        var coverage = PolicyCoverage(of: call.cloud)
        if let name = query.first("policy") { coverage.keep(where: { $0.name == name }) }
        if let file = query.first("file") { coverage.keep(where: { $0.file == file }) }
        let counts = Document<StatementCountMembers> {
            [$0.decided(coverage.count(.decided)), $0.applied(coverage.count(.applied)), $0.never(coverage.count(.never))]
        }
        return .json(
            Document<CoverageMembers> {
                [
                    $0.complete(coverage.isComplete), $0.requests(coverage.requests), $0.statements(counts),
                    $0.policies(coverage.policies.map(\.covered)),
                ]
            }.json)
    }

    /// `GET /_virga/usage/history`: returns how many decisions were made when.
    func usageHistory(_ call: Call) throws -> Response {
        _ = try Self.query(of: call, known: [])
        let history = call.cloud.usage.history
        let intervals = history.intervals
        return .json(
            Document<HistoryMembers> {
                [
                    $0.enabled(call.cloud.usage.isEnabled), $0.allowed(intervals.reduce(0) { $0 + $1.allowed }),
                    $0.denied(intervals.reduce(0) { $0 + $1.denied }), $0.step("PT\(history.step)S"),
                    $0.intervals(
                        intervals.map { interval in
                            Document<IntervalMembers> {
                                [$0.start(interval.start.iso8601), $0.allowed(interval.allowed), $0.denied(interval.denied)]
                            }
                        }),
                ]
            }.json)
    }

    /// Returns the query of a call, which may have only known parameters.
    static func query(of call: Call, known: [String]) throws(ControlError) -> FormFields {
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
    fileprivate var document: Document<QuestionMembers> {
        let context = request.context
        let keys = context.keys.all.map { ($0.name, JSONValue.array($0.values.all.map(JSONValue.string))) }
        let policies = request.attached.map { type, policy in
            Document<AppliedPolicyMembers> { [$0.policyType(type.rawValue), $0.policy(policy.label)] }
        }
        return Document {
            [
                $0.caller(context.principal.name), $0.operation(operation), $0.action(context.action), $0.resource(context.resource),
                $0.allowed(request.isAllowed), $0.served(isServed), $0.count(count), $0.context(.object(JSONObject(keys))),
                $0.policies(policies),
            ]
        }
    }
}

extension PolicyCoverage.CoveredPolicy {
    fileprivate var covered: Document<CoveredPolicyMembers> {
        let statements = statements.enumerated().map { index, statement in
            Document<CoveredStatementMembers> {
                [
                    $0.statement(index + 1), $0.sid(statement.sid), $0.effect(statement.isDeny ? "Deny" : "Allow"),
                    $0.line(statement.line), $0.use(statement.use.rawValue), $0.applied(statement.applied), $0.decided(statement.decided),
                ]
            }
        }
        return Document {
            [
                $0.policyType(type.rawValue), $0.policy(name), $0.holder(holder), $0.file(file), $0.document(document.json),
                $0.statements(statements),
            ]
        }
    }
}
