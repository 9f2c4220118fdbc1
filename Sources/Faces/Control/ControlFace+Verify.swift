import Calls
import Cloud
import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlFace {
    /// The most expectations in one call. Each of them is compared with every entry of the journal.
    private static let mostExpectations = 200

    /// `POST /_virga/journal/verify`: compares the journal with expectations.
    ///
    /// `{"expect":[{"caller":…,"action":…,"resource":…,"status":…,"times":{"min":1,"max":…}}],"never":[…],"since":<number>}`. Calls of the
    /// control API do not count.
    /// - Returns: 200 with the calls that matched, or 409 with the closest calls of each expectation that is not met.
    func verifyJournal(_ call: Call, _ body: JSONObject) throws -> Response {
        try body.expect(only: ["expect", "never", "since"])
        let expected = try Self.patterns("expect", in: body).map { try Self.expectation(in: $0) }
        let excluded = try Self.patterns("never", in: body).map { members in
            try members.expect(only: CallPattern.Member.allCases.map(\.rawValue))
            return JournalExpectation(pattern: try Self.pattern(in: members), min: 0, max: 0)
        }
        guard expected.count + excluded.count > 0 else {
            throw ControlError(
                .badRequest, "missing_member", "Send {\"expect\":[{\"action\":\"s3:PutObject\"}]}, {\"never\":[{\"status\":403}]} or both.")
        }
        guard expected.count + excluded.count <= Self.mostExpectations else {
            throw ControlError(.badRequest, "malformed_member", "At most \(Self.mostExpectations) expectations can be sent together.")
        }
        let since = try body["since"].map { value throws(ControlError) in
            guard let number = value.integerValue, number >= 0 else {
                throw ControlError(.badRequest, "malformed_member", "'since' must be the number of an entry.")
            }
            return number
        }
        let excerpt = call.cloud.journal.entries(after: since)
        let entries = excerpt.entries.filter { $0.face != "control" }
        let met = expected.map { ($0, $0.outcome(among: entries)) }
        let spared = excluded.map { ($0, $0.outcome(among: entries)) }
        let failures = (met + spared).filter { !$0.1.isMet }.map { "\($0.0.description): found \($0.1.count)" }
        let report = Document<VerificationMembers> {
            [
                $0.complete(excerpt.isComplete), $0.last(excerpt.last), $0.expect(met.map { Self.document($0, $1) }),
                $0.never(spared.map { Self.document($0, $1) }),
            ]
        }
        guard let first = failures.first else { return .json(report.json) }
        let further = failures.count > 1 ? " and \(failures.count - 1) more" : ""
        var error = ControlError(.conflict, "expectation_failed", "Not as expected: \(first)\(further).")
        error.details = report.object
        throw error
    }

    private static func patterns(_ name: String, in body: JSONObject) throws(ControlError) -> [JSONObject] {
        guard let value = body[name] else { return [] }
        guard let elements = value.arrayValue, case let objects = elements.compactMap(\.objectValue), objects.count == elements.count else {
            throw ControlError(.badRequest, "malformed_member", "'\(name)' must be an array of objects, such as {\"action\":\"s3:*\"}.")
        }
        return objects
    }

    private static func pattern(in members: JSONObject) throws(ControlError) -> CallPattern {
        var texts: [CallPattern.Member: String] = [:]
        for member in CallPattern.Member.allCases {
            if member == .status, let status = members["status"]?.integerValue {
                texts[.status] = String(status)
            } else {
                texts[member] = try members.text(member.rawValue)
            }
        }
        guard !texts.isEmpty else {
            throw ControlError(
                .badRequest, "missing_member",
                "A pattern needs at least one of \(CallPattern.Member.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return CallPattern(texts)
    }

    private static func expectation(in members: JSONObject) throws(ControlError) -> JournalExpectation {
        try members.expect(only: CallPattern.Member.allCases.map(\.rawValue) + ["times"])
        let pattern = try pattern(in: members)
        let malformed = ControlError(
            .badRequest, "malformed_member", "'times' must be a number, or {\"min\":1,\"max\":2} with numbers from 0 on.")
        func count(_ value: JSONValue) throws(ControlError) -> Int {
            guard let number = value.integerValue, number >= 0 else { throw malformed }
            return Int(number)
        }
        switch members["times"] {
        case nil: return JournalExpectation(pattern: pattern)
        case .object(let range):
            try range.expect(only: ["min", "max"])
            let max = try range["max"].map { value throws(ControlError) in try count(value) }
            let min = try range["min"].map { value throws(ControlError) in try count(value) } ?? Swift.min(1, max ?? 1)
            guard min <= max ?? .max else { throw malformed }
            return JournalExpectation(pattern: pattern, min: min, max: max)
        case let value?:
            let times = try count(value)
            return JournalExpectation(pattern: pattern, min: times, max: times)
        }
    }

    private static func document(
        _ expectation: JournalExpectation, _ outcome: JournalExpectation.Outcome
    ) -> Document<ExpectedCallMembers> {
        let entries = outcome.matches.map { $0.entry.summary(of: $0.decision) }
        let misses = outcome.nearMisses.map { miss -> Document<NearMissMembers> in
            let differences = miss.differences.map { difference in
                Document<DifferenceMembers> {
                    [$0.member(difference.member.rawValue), $0.expected(difference.expected), $0.found(difference.found)]
                }
            }
            return Document { [$0.call(miss.entry.summary(of: miss.decision)), $0.differs(differences)] }
        }
        return Document {
            [
                $0.expected(expectation.description), $0.met(outcome.isMet), $0.count(outcome.count), $0.entries(entries),
                $0.nearMisses(misses.isEmpty ? nil : misses),
            ]
        }
    }
}

extension JournalEntry {
    /// The call in short, with one of its decisions.
    fileprivate func summary(of decision: Int?) -> Document<VerifiedCallMembers> {
        let decision = decision.map { decisions[$0] }
        return Document {
            [
                $0.number(number), $0.requestID(requestID), $0.caller(caller ?? "anonymous"),
                $0.operation(operation.map { "\(face):\($0)" }), $0.action(decision?.action),
                $0.resource(decision?.resource ?? String(maskedTarget.prefix { $0 != "?" })), $0.status(status),
            ]
        }
    }
}
