import ControlDocuments
import HTTPTypes
import WireFormats

/// What the forms about clock and errors on demand do.
struct TimeActions {
    let visit: Visit

    private func field(_ name: String) -> String { visit.form.first(name) ?? "" }

    private func check(_ answer: ControlAnswer) throws { if let refusal = answer.refusal { throw refusal } }

    // MARK: Clock

    /// Makes everything that was issued older.
    func age() async throws -> DoneMessage {
        let text = field("for").filter { !$0.isWhitespace }
        try check(await visit.client.post("/clock", ["age": .string(text)]))
        return .moved
    }

    /// Stops the time.
    func freeze() async throws -> DoneMessage {
        try check(await visit.client.post("/clock", ["freeze": true]))
        return .moved
    }

    /// Lets a frozen clock run on from its time.
    func runOn() async throws -> DoneMessage {
        let clock = await visit.client.get("/clock").document(ClockMembers.self)
        try check(await visit.client.post("/clock", ["set": .string(clock.now)]))
        return .moved
    }

    /// Continues from another date.
    func set() async throws -> DoneMessage {
        var date = field("date").filter { !$0.isWhitespace }
        // The field of a browser has neither seconds nor a zone, if they are zero.
        if date.count == "2026-01-01T00:00".count { date += ":00" }
        if date.count == "2026-01-01T00:00:00".count { date += "Z" }
        try check(await visit.client.post("/clock", ["set": .string(date)]))
        return .moved
    }

    // MARK: Errors on demand

    func addPreset() async throws -> DoneMessage {
        guard let preset = FaultPreset(rawValue: field("preset")) else { throw ConsoleRefusal.noSuchAction }
        try check(await visit.client.post("/faults", preset.rule(provider: field("provider"))))
        return .created
    }

    func addFault() async throws -> DoneMessage {
        var rule: JSONObject = [:]
        for name in ["name", "service", "action", "caller", "resource", "connection"] where !field(name).isEmpty {
            rule[name] = .string(field(name))
        }
        let code = field("own-code").isEmpty ? field("error") : field("own-code")
        if !code.isEmpty {
            var error: JSONObject = ["code": .string(code)]
            if !field("status").isEmpty { error["status"] = .integer(try number("status", "The status")) }
            if !field("message").isEmpty { error["message"] = .string(field("message")) }
            rule["error"] = error.count == 1 ? .string(code) : .object(error)
        }
        let latency = field("latency").filter { !$0.isWhitespace }
        if !latency.isEmpty {
            guard latency.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) else {
                throw ConsoleRefusal(code: "malformed_latency", message: "The delay must be a number of seconds, such as 0.5.")
            }
            rule["latency"] = .string("PT\(latency)S")
        }
        let times = field("times").filter { !$0.isWhitespace }
        if times == "always" {
            rule["times"] = "always"
        } else if !times.isEmpty {
            rule["times"] = .integer(try number("times", "How often"))
        }
        let chance = field("probability").filter { !$0.isWhitespace }
        if !chance.isEmpty {
            guard let percent = Double(chance), percent > 0, percent <= 100 else {
                throw ConsoleRefusal(code: "malformed_chance", message: "The chance must be a number of percent from 0 to 100.")
            }
            rule["probability"] = .number(percent / 100)
        }
        try check(await visit.client.post("/faults", .object(rule)))
        return .created
    }

    private func number(_ name: String, _ label: String) throws -> Int64 {
        guard let number = Int64(field(name)) else {
            throw ConsoleRefusal(code: "malformed_\(name)", message: "\(label) must be a whole number.")
        }
        return number
    }

    func remove() async throws -> DoneMessage {
        try check(await visit.client.call(.delete, "/faults/\(percentEncoded(field("id")))", nil))
        return .deleted
    }
}

/// An error on demand that a button adds.
enum FaultPreset: String, CaseIterable {
    case throttled, slow, lost, unreachable

    var title: String {
        switch self {
        case .throttled: "STS throttles two calls"
        case .slow: "S3 responds after two seconds"
        case .lost: "The response to an upload is lost"
        case .unreachable: "Cannot be reached"
        }
    }

    /// The service that must be present.
    var service: String {
        switch self {
        case .throttled: "sts"
        case .slow, .lost: "s3"
        case .unreachable: ""
        }
    }

    /// The body of `POST /_virga/faults`.
    func rule(provider: String) -> JSONValue {
        switch self {
        case .throttled: ["service": "sts", "error": "Throttling", "times": 2]
        case .slow: ["service": "s3", "latency": "PT2S", "times": "always"]
        case .lost: ["service": "s3", "action": "PutObject", "connection": "answer"]
        case .unreachable: ["service": .string(provider), "connection": "request", "times": "always"]
        }
    }
}
