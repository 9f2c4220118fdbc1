import Calls
import Cloud
import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlFace {
    private static let members = [
        "name", "service", "action", "caller", "resource", "error", "connection", "latency", "times", "probability", "seed",
    ]

    /// `/_virga/faults[/<id>]`: POST creates a rule; GET returns rules with the number of times that each was applied; DELETE removes them.
    /// - Parameter id: the rule's ID; empty for all rules.
    func answerFaults(_ call: Call, id: String) async throws -> Response {
        let faults = call.cloud.faults
        switch call.method {
        case .post:
            return .json(faults.add(try Self.rule(in: try await body(of: call))).document.json, status: .created)
        case .delete:
            if id.isEmpty {
                faults.removeAll()
            } else if !faults.remove(id) {
                throw Self.unknown(id)
            }
            return .json(["status": "ok"])
        default:
            guard !id.isEmpty else { return .json(Document<FaultListMembers> { [$0.faults(faults.all.map(\.document))] }.json) }
            guard let fault = faults.all.first(where: { $0.id == id }) else { throw Self.unknown(id) }
            return .json(fault.document.json)
        }
    }

    private static func unknown(_ id: String) -> ControlError {
        ControlError(.notFound, "unknown_fault", "There is no rule '\(id)'.")
    }

    private static func malformed(_ message: String) -> ControlError { ControlError(.badRequest, "malformed_member", message) }

    private static func rule(in body: JSONObject) throws(ControlError) -> FaultRule {
        try body.expect(only: members)
        var rule = FaultRule()
        rule.name = try body.text("name")
        rule.service = try body.text("service")
        rule.action = try body.text("action")
        rule.caller = try body.text("caller")
        rule.resource = try body.text("resource")
        rule.failure = try body["error"].map { error throws(ControlError) in try failure(error) }
        if let text = try body.text("connection") {
            guard let drop = FaultRule.Drop(rawValue: text) else {
                throw malformed("'connection' must be request, answer or body: where the connection is dropped.")
            }
            rule.drop = drop
        }
        if let text = try body.text("latency") {
            guard let latency = Duration(iso8601: text), latency > .zero else { throw error(of: .latency) }
            rule.latency = latency
        }
        try readFrequency(in: body, into: &rule)
        do {
            try rule.check()
        } catch {
            throw Self.error(of: error)
        }
        return rule
    }

    private static func error(of error: FaultRuleError) -> ControlError {
        switch error {
        case .noEffect:
            ControlError(
                .badRequest, "missing_member",
                "Add an effect: {\"error\":\"Throttling\"}, {\"connection\":\"answer\"} or {\"latency\":\"PT1S\"}.")
        case .failureAndDrop: malformed("'error' and 'connection' cannot be combined.")
        case .latency: malformed("'latency' must be an ISO 8601 duration of at most an hour, such as PT0.5S.")
        case .times: malformed("'times' must be a number from 1 on, or \"always\".")
        case .probability: malformed("'probability' must be more than 0 and at most 1.")
        case .unknownCode(let code):
            ControlError(
                .badRequest, "unknown_code", "The code '\(code)' is unknown; add its status: {\"code\":\"…\",\"status\":400}.")
        case .status: malformed("'status' must be an HTTP status from 400 to 599.")
        case .malformedCode: malformed("A code must be printable ASCII without spaces, quotation marks and backslashes.")
        case .malformedMessage: malformed("A message must not have control characters.")
        }
    }

    /// Reads how often the rule applies: once, unless `times` or `probability` is given.
    private static func readFrequency(in body: JSONObject, into rule: inout FaultRule) throws(ControlError) {
        if let value = body["probability"] {
            guard let probability = probability(value) else { throw error(of: .probability) }
            rule.probability = probability
            rule.times = nil
        }
        if let value = body["seed"] {
            guard let seed = value.integerValue, body["probability"] != nil else {
                throw malformed("'seed' must be a whole number, and requires 'probability'.")
            }
            rule.seed = UInt64(bitPattern: seed)
        }
        switch body["times"] {
        case nil: break
        case "always": rule.times = nil
        case .integer(let times): rule.times = Int(times)
        default: throw error(of: .times)
        }
    }

    private static func probability(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// Reads `"Throttling"`, or `{"code":"…","status":…,"message":"…"}`.
    private static func failure(_ value: JSONValue) throws(ControlError) -> FaultRule.Failure {
        var failure: FaultRule.Failure
        if let object = value.objectValue {
            try object.expect(only: ["code", "status", "message"])
            guard let code = try object.text("code") else {
                throw ControlError(.badRequest, "missing_member", "'error' needs a 'code'.")
            }
            failure = .init(code: code, message: try object.text("message"))
            if let status = object["status"] {
                guard let number = status.integerValue.flatMap({ Int(exactly: $0) }) else { throw error(of: .status) }
                failure.status = number
            }
        } else {
            guard let code = value.stringValue else { throw malformed("'error' must be a code, or an object with 'code'.") }
            failure = .init(code: code)
        }
        return failure
    }
}

extension StandingFault {
    /// The rule as it was given, and how often it was applied.
    fileprivate var document: Document<FaultMembers> {
        let error = rule.failure.map { failure in
            Document<FaultErrorMembers> {
                [$0.code(failure.code), $0.status(failure.status.map { Int64($0) }), $0.message(failure.message)]
            }
        }
        let (seconds, attoseconds) = rule.latency.components
        let latency: Int64? = rule.latency > .zero ? seconds * 1000 + attoseconds / 1_000_000_000_000_000 : nil
        let times: JSONValue = rule.times.map { .integer(Int64($0)) } ?? "always"
        let isCertain = rule.probability >= 1
        return Document {
            [
                $0.id(id), $0.name(rule.name), $0.service(rule.service), $0.action(rule.action), $0.caller(rule.caller),
                $0.resource(rule.resource), $0.error(error), $0.connection(rule.drop?.rawValue), $0.latency(latency), $0.times(times),
                $0.probability(isCertain ? nil : rule.probability), $0.seed(isCertain ? nil : Int64(bitPattern: rule.seed)),
                $0.met(Int64(met)), $0.struck(Int64(struck)), $0.live(isLive),
            ]
        }
    }
}
