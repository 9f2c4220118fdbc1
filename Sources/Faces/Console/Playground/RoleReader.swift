import WireFormats

/// A role with its policies, read and changed by IAM's API as the root user.
struct WalkRole: Sendable {
    var name: String
    var arn: String
    var trustPolicy: String
    /// The inline policies; only loaded for the chosen role.
    var policies: [(name: String, document: String)] = []
}

/// Reads and changes the roles of AWS's IAM.
struct RoleReader: PolicyKeeper {
    private static let version = "2010-05-08"

    let sender: Sender
    /// The ARN of the root user.
    let root: String

    /// Returns all roles without their policies.
    func roles() async throws -> [WalkRole] {
        let answer = try await call("ListRoles", [:])
        return (answer.xml?.child("ListRolesResult")?.child("Roles")?.children(named: "member") ?? []).compactMap { member in
            guard let name = member.child("RoleName")?.text, let arn = member.child("Arn")?.text else { return nil }
            let document = member.child("AssumeRolePolicyDocument")?.text ?? ""
            return WalkRole(name: name, arn: arn, trustPolicy: percentDecoded(document) ?? document)
        }
    }

    /// Loads the inline policies of a role.
    func complete(_ role: WalkRole) async throws -> WalkRole {
        var role = role
        let answer = try await call("ListRolePolicies", ["RoleName": role.name])
        let names = answer.xml?.child("ListRolePoliciesResult")?.child("PolicyNames")?.children(named: "member").map(\.text) ?? []
        role.policies = []
        for name in names {
            let policy = try await call("GetRolePolicy", ["RoleName": role.name, "PolicyName": name])
            let document = policy.xml?.child("GetRolePolicyResult")?.child("PolicyDocument")?.text ?? ""
            role.policies.append((name, percentDecoded(document) ?? document))
        }
        return role
    }

    /// Stores a trust policy or an inline policy.
    func put(_ document: String, at place: Walk.PolicyPlace) async throws {
        let saved =
            if let policy = place.policy {
                try await call(
                    "PutRolePolicy", ["RoleName": place.role, "PolicyName": policy, "PolicyDocument": document], title: "Save the policy")
            } else {
                try await call(
                    "UpdateAssumeRolePolicy", ["RoleName": place.role, "PolicyDocument": document], title: "Save the trust policy")
            }
        if let refusal = saved.refusal { throw ConsoleRefusal(code: refusal.code, message: refusal.message) }
    }

    /// Creates a role.
    func create(_ name: String, trust: JSONValue, policy: JSONValue) async throws {
        let created = try await call(
            "CreateRole", ["RoleName": name, "AssumeRolePolicyDocument": trust.serialized(pretty: true)], title: "Create a role")
        if let refusal = created.refusal { throw ConsoleRefusal(code: refusal.code, message: refusal.message) }
        try await put(policy.serialized(pretty: true), at: .init(role: name, policy: "personal-files"))
    }

    private func call(_ action: String, _ parameters: [String: String], title: String? = nil) async throws -> Exchange {
        var fields: FormFields = ["Action": action, "Version": Self.version]
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { fields.fields.append(.init(name: name, value: value)) }
        var sender = sender
        sender.isRecorded = title != nil
        return try await sender.form(title ?? action, as: .principal(root), service: "iam", to: "/", fields)
    }
}
