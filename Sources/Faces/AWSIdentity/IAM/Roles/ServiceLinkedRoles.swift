import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension IAMFace {
    /// Operations on service-linked roles. (IAM User Guide, "Create a service-linked role".)
    static let serviceLinkedRoles: [String: Operation] = [
        "CreateServiceLinkedRole": .init(createServiceLinkedRole), "DeleteServiceLinkedRole": .init(deleteServiceLinkedRole),
        "GetServiceLinkedRoleDeletionStatus": .init(getServiceLinkedRoleDeletionStatus),
    ]

    private static func createServiceLinkedRole(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let service = call.parameters.requiredText("AWSServiceName", length: 1...128, pattern: .entityName)
        let description = call.parameters.roleDescription()
        let suffix = call.parameters.text("CustomSuffix", length: 1...64, pattern: .entityName)
        try call.parameters.check()
        guard let linked = ServiceLinkedRole.byService[service] else {
            try call.authorize(on: call.arn("role", "*", path: "/aws-service-role/\(service)/"), keys: [("iam:AWSServiceName", service)])
            // Virga's wording.
            throw ServiceError.invalidInput("Service principal \(service) does not have a service-linked role.")
        }
        guard suffix == nil || linked.takesSuffix else {
            throw ServiceError.invalidInput("Custom suffix is not allowed for \(service)")
        }
        let name = linked.name + (suffix.map { "_\($0)" } ?? "")
        let path = "/aws-service-role/\(service)/"
        try call.authorize(on: call.arn("role", name, path: path), keys: [("iam:AWSServiceName", service)])
        let trust =
            #"{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"\#(service)"},"Action":"sts:AssumeRole"}]}"#
        let role = Role(
            account: call.account, name: name, path: path, id: try UniqueID.role.make(), created: call.now,
            description: description ?? linked.description, trustPolicy: TrustPolicy(document: try .written(trust, as: .trust)),
            attachedPolicies: [linked.policyARN])
        try await call.perform { directory throws(ServiceLinkedRoleRefusal) in try directory.createServiceLinkedRole(role) }
        let directory = call.directory
        return { xml in xml.element("Role") { role.encode(into: &$0, as: .created, directory) } }
    }

    /// DeleteServiceLinkedRole. No service uses the role, so the task is complete as soon as it has begun.
    private static func deleteServiceLinkedRole(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let named = try call.namedRole()
        guard named.isServiceLinked else { throw ServiceError.missingRole(named.name) }
        try await call.perform { directory throws(ServiceLinkedRoleRefusal) in
            try directory.deleteServiceLinkedRole(named.name, in: named.account)
        }
        let task = DeletionTask(account: named.account, role: named.path + named.name)
        return { xml in xml.element("DeletionTaskId", task.text) }
    }

    private static func getServiceLinkedRoleDeletionStatus(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let text = call.parameters.requiredText("DeletionTaskId", length: 1...1000)
        try call.parameters.check()
        guard let task = DeletionTask(text, account: call.account) else {
            try call.authorize(on: call.arn("role", "*"))
            throw ServiceError.noSuchEntity("Deletion task not found: \(text)")
        }
        try call.authorize(on: "arn:aws:iam::\(call.account):role\(task.role)")
        return { xml in xml.element("Status", "SUCCEEDED") }
    }
}

/// The deletion of a service-linked role. Everything about it is in its identifier, so nothing is stored.
/// (IAM API Reference, DeleteServiceLinkedRole, `DeletionTaskId`.)
private struct DeletionTask {
    var account: String
    /// The role's path and name.
    var role: String

    init(account: String, role: String) {
        self.account = account
        self.role = role
    }

    /// Parses an identifier that ``text`` produced; `nil` for any other.
    init?(_ text: String, account: String) {
        let fields = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 5, fields[0] == "task" else { return nil }
        self.init(account: account, role: "/" + fields[1...3].joined(separator: "/"))
        guard self.text == text else { return nil }
    }

    /// The identifier, `task/aws-service-role/<service>/<role>/<UUID>`.
    var text: String {
        let digits = Array(SHA256.hash("deletion of \(account) \(role)").prefix(16)).hex
        var uuid = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { uuid += "-" }
            uuid.append(digit)
        }
        return "task\(role)/\(uuid)"
    }
}
