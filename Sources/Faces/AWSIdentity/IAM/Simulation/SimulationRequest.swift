import Federation
import HTTPTypes
import Policy
import WireFormats

/// The common parameters of `SimulateCustomPolicy` and `SimulatePrincipalPolicy`.
struct SimulationRequest: Sendable {
    var policyInputs: [String]
    var boundaryInputs: [String]
    /// The organization's policies by level, starting with the root.
    var organizationInputs: [[String]]
    var actions: [String]
    /// The resources; empty for `*`.
    var resources: [String]
    var resourcePolicy: String?
    var resourceOwner: String?
    var callerARN: String?
    var context: [ContextEntry]
    var limit: Int
    /// The number of results before the requested page.
    var offset: Int

    /// A condition key in the request (IAM API Reference, "ContextEntry").
    struct ContextEntry: Sendable {
        var name: String
        var values: ConditionValues
    }

    init(_ parameters: inout QueryParameters) throws(ServiceError) {
        policyInputs = parameters.policies("PolicyInputList")
        boundaryInputs = parameters.policies("PermissionsBoundaryPolicyInputList")
        organizationInputs = []
        for level in 0..<parameters.count(of: "OrderedOrganizationPolicyInputList", most: 7) {
            organizationInputs.append(
                parameters.policies("OrderedOrganizationPolicyInputList.member.\(level + 1).ServiceControlPolicyInputList"))
        }
        actions = parameters.list("ActionNames", most: Int.max, length: 3...128)
        if actions.isEmpty { _ = parameters.requiredText("ActionNames", length: 3...128) }
        resources = parameters.list("ResourceArns", most: Int.max, length: 1...2048)
        resourcePolicy = parameters.text("ResourcePolicy", length: 1...131_072, pattern: .policy)
        resourceOwner = parameters.text("ResourceOwner", length: 1...2048)
        callerARN = parameters.text("CallerArn", length: 1...2048)
        // The resource scenario for EC2. It causes no error if it is not satisfied (observed of AWS).
        _ = parameters.text("ResourceHandlingOption", length: 1...64)
        limit = try parameters.integer("MaxItems", range: 1...1000) ?? 100
        let marker = parameters.text("Marker", length: 1...320)
        let entries = try Self.entries(&parameters)
        try parameters.check()
        offset = try marker.map { marker throws(ServiceError) in try Self.offset(of: marker) } ?? 0
        context = []
        var names: Set<String> = []
        for entry in entries {
            let entry = try entry.checked()
            guard names.insert(entry.name.lowercased()).inserted else { throw .invalidInput("Duplicate context key: \(entry.name).") }
            context.append(entry)
        }
        for action in actions where !action.contains(":") { throw .invalidInput("The action is invalid since it is missing names") }
        if resources == ["*"] { resources = [] }
        for resource in resources where !Self.isARN(resource) {
            throw .invalidInput("ResourceNames are not in a valid ARN format: \(resource).")
        }
        if boundaryInputs.count > 1 { throw .invalidInput("The list of Permissions Boundary policies cannot exceed 1 items.") }
        for (index, level) in organizationInputs.enumerated() where level.isEmpty {
            throw .invalidInput("Organization policy at index \(index + 1) must contain at least one service control policy")
        }
        if let resourceOwner, Self.account(of: resourceOwner) == nil {
            throw .invalidInput("'\(resourceOwner)' is not a valid as a Resource Owner.")
        }
    }

    /// The number of actions in one response. Each action has a decision for every resource, and a response has a maximum number of
    /// decisions, so a page may be shorter than requested. (IAM API Reference, "SimulateCustomPolicy", `MaxItems`.)
    var limitOfPage: Int { min(limit, max(1, Self.mostDecisions / max(1, resources.count))) }

    private static let mostDecisions = 10_000

    private static func isARN(_ text: String) -> Bool {
        let fields = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        return text == "*" || (fields.count == 6 && fields[0] == "arn" && !fields[1].isEmpty && !fields[2].isEmpty && !fields[5].isEmpty)
    }

    /// Returns the account of an IAM ARN.
    static func account(of arn: String) -> String? {
        let fields = arn.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard fields.count == 6, fields[0] == "arn", fields[2] == "iam", fields[4].utf8.count == 12 else { return nil }
        return String(fields[4])
    }

    /// Returns the marker of the results that follow these.
    static func marker(after offset: Int) -> String { Array("simulation \(offset)".utf8).base64 }

    private static func offset(of marker: String) throws(ServiceError) -> Int {
        let text = [UInt8](base64: marker).map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard text.hasPrefix("simulation "), let offset = Int(text.dropFirst("simulation ".count)), offset >= 0 else {
            throw .invalidInput("Invalid marker for pagination.")
        }
        return offset
    }

    /// A context entry as sent, not yet checked.
    private struct GivenEntry {
        var name: String?
        var type: String?
        var values: [String]

        func checked() throws(ServiceError) -> ContextEntry {
            guard let name, !name.isEmpty else { throw .invalidInput("ContextKeyName cannot be null or empty.") }
            guard let type = type.flatMap(ContextValueType.init(rawValue:)) else {
                throw .invalidInput("Context key \(name) has invalid type null.")
            }
            guard !values.isEmpty else { throw .invalidInput("Context values for context key \(name) cannot be null or empty.") }
            guard type.isList || values.count == 1 else {
                throw .invalidInput("Context key \(type.rawValue) expected a single value, but received \(values.count).")
            }
            var read: [String] = []
            for value in values {
                guard let value = type.value(value) else {
                    throw .invalidInput("Invalid context value for key \(name): expected \(type.expectation).")
                }
                read.append(value)
            }
            return ContextEntry(name: name, values: type.isList ? .many(read) : .one(read[0]))
        }
    }

    private static func entries(_ parameters: inout QueryParameters) throws(ServiceError) -> [GivenEntry] {
        let types = [
            "binary", "ipList", "booleanList", "ip", "boolean", "numericList", "dateList", "numeric", "date", "stringList", "string",
            "binaryList",
        ]
        var entries: [GivenEntry] = []
        for index in 0..<parameters.count(of: "ContextEntries", most: Int.max) {
            let prefix = "ContextEntries.member.\(index + 1)."
            entries.append(
                GivenEntry(
                    name: parameters.text(prefix + "ContextKeyName", length: 5...256),
                    type: parameters.choice(prefix + "ContextKeyType", of: types),
                    values: parameters.list(prefix + "ContextKeyValues", most: Int.max, length: 0...Int.max)))
        }
        return entries
    }
}
