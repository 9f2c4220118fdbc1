import WireFormats

/// Policies that were edited in the simulator and not saved. They are kept in memory; the question itself is in the URL.
struct Simulation: KeptInMemory {
    let id: String
    let generation: Int64
    let created: Timestamp
    /// The edited texts.
    var edits: [PolicyPlace: String] = [:]

    var size: Int { edits.values.reduce(0) { $0 + $1.utf8.count } }
}

/// A policy as decisions name it.
struct PolicyPlace: Hashable, Sendable {
    /// The type, such as `identity-based policy`.
    var type: String
    /// The name, such as `personal-files` or `policy of bucket box`.
    var name: String

    /// The name of a policy that is added to those of the caller.
    static let added = PolicyPlace(type: "identity-based policy", name: "another policy")

    /// Whether it is a policy of the caller, and not of the resource.
    var isOfCaller: Bool { type != "resource-based policy" && type != "role trust policy" }
}

/// The question of a simulation. It holds no secret, so it is in the URL and can be shared.
struct SimulationQuestion: Sendable, Equatable {
    /// An ARN, an access key, `anonymous`, or a provider for calls that present a token.
    var caller = ""
    /// Another caller for comparison; empty for none.
    var other = ""
    var actions: [String] = []
    var resources: [String] = []
    /// The condition keys with their values, one a line.
    var context: [(key: String, value: String)] = []

    /// The most decisions of one simulation.
    static let mostDecisions = 60

    init() {}

    /// - Parameter fields: a query or a form, in which lists are lines or repeated names, and one more of each may be in a field of its own.
    init(_ fields: FormFields) {
        func lines(_ name: String) -> [String] {
            var seen: Set<String> = []
            return (fields.all(named: name) + fields.all(named: "add-\(name)")).flatMap { $0.split { $0 == "\n" || $0 == "\r" } }
                .map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty && seen.insert($0).inserted }
        }
        caller = (fields.first("as") ?? "").filter { !$0.isWhitespace }
        other = (fields.first("other") ?? "").filter { !$0.isWhitespace }
        actions = lines("action")
        // Keys of objects may have spaces.
        resources = (fields.all(named: "resource") + fields.all(named: "add-resource")).flatMap { $0.split { $0.isNewline } }
            .map(String.init).filter { !$0.isEmpty }
        context = zip(fields.all(named: "key"), fields.all(named: "value")).filter { !$0.0.isEmpty && !$0.1.isEmpty }.map { ($0.0, $0.1) }
    }

    var isEmpty: Bool { caller.isEmpty || actions.isEmpty || resources.isEmpty }

    /// The query of the URL.
    var query: FormFields {
        var fields: FormFields = ["as": caller]
        func add(_ name: String, _ value: String) { fields.fields.append(.init(name: name, value: value)) }
        if !other.isEmpty { add("other", other) }
        for action in actions { add("action", action) }
        for resource in resources { add("resource", resource) }
        for (key, value) in context {
            add("key", key)
            add("value", value)
        }
        return fields
    }

    /// The condition keys of the control call.
    var contextJSON: JSONObject {
        context.reduce(into: [:]) { json, pair in
            let values = pair.value.split { $0.isNewline }.map { JSONValue.string(String($0)) }
            json[pair.key] = values.count == 1 ? values[0] : .array(values)
        }
    }

    static func == (left: SimulationQuestion, right: SimulationQuestion) -> Bool { left.query == right.query }
}
