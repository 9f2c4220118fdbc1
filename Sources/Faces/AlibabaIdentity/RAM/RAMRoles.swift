import Cloud
import Directory
import Policy
import WireFormats

extension RPCService {
    /// Operations on roles.
    static let roles: [String: RPCOperation] = [
        "CreateRole": RPCOperation { try await $0.createRole() }, "GetRole": RPCOperation { try $0.getRole() },
        "UpdateRole": RPCOperation { try await $0.updateRole() }, "DeleteRole": RPCOperation { try await $0.deleteRole() },
        "ListRoles": RPCOperation { try $0.listRoles() },
    ]
}

extension RPCCall {
    private static let mostRoles = 1000
    private static let longestTrustPolicy = 4096

    /// Returns the role with a name.
    /// - Throws: `EntityNotExist.Role`.
    func role(_ name: String, in directory: Directory) throws(RPCError) -> Role {
        guard let role = directory.role(name, in: account)?.role else { throw .notExist("Role", "role") }
        return role
    }

    /// Parses the text of a trust policy.
    private func trustPolicy(_ text: String, _ parameter: String) throws(RPCError) -> TrustPolicy {
        guard text.utf8.count <= Self.longestTrustPolicy else { throw .tooLong(parameter) }
        do {
            return TrustPolicy(document: try PolicyDocument(parsing: text, kind: .trust, dialect: .ram), text: text)
        } catch {
            throw .malformedPolicy(error)
        }
    }

    /// Returns a role as RAM describes it. (RAM API Reference, "Role".)
    private func describe(_ role: Role, isListed: Bool = false, isNew: Bool = false) -> RPCValue {
        .members([
            "RoleId": .text(role.id), "RoleName": .text(role.name), "Arn": .text(role.arn), "Description": .text(role.description ?? ""),
            "AssumeRolePolicyDocument": isListed ? nil : .text(role.trustPolicy.text ?? role.trustPolicy.document.json.serialized()),
            "MaxSessionDuration": .integer(Int64(role.maximumSessionDuration)), "CreateDate": .date(role.created),
            "UpdateDate": isNew ? nil : .date(role.updated ?? role.created), "Tags": isListed ? Self.describe(role.tags) : nil,
        ])
    }

    fileprivate func createRole() async throws -> RPCValue {
        let name = try name("RoleName", .role)
        let trust = try trustPolicy(try required("AssumeRolePolicyDocument"), "AssumeRolePolicyDocument")
        let description = try remark("Description", longest: 1024)
        let duration = try number("MaxSessionDuration", 3600...43200) ?? 3600
        let tags = try tags()
        try permit(resource("role"))
        var role = Role(
            account: account, name: name, path: "/", id: try RAMIdentifier.role(), created: now, description: description,
            trustPolicy: trust, tags: tags, maximumSessionDuration: duration)
        role.updated = now
        try await edit(.role) { [role] directory in try directory.createRole(role, limit: Self.mostRoles) }
        return ["Role": describe(role, isNew: true)]
    }

    fileprivate func getRole() throws(RPCError) -> RPCValue {
        let name = try name("RoleName", .role)
        try permit(resource("role", name))
        return ["Role": describe(try role(name, in: directory))]
    }

    fileprivate func updateRole() async throws -> RPCValue {
        let name = try name("RoleName", .role)
        var trust: TrustPolicy?
        if let text = text("NewAssumeRolePolicyDocument") { trust = try trustPolicy(text, "NewAssumeRolePolicyDocument") }
        let description = try remark("NewDescription", longest: 1024)
        let duration = try number("NewMaxSessionDuration", 3600...43200)
        try permit(resource("role", name))
        let role = try await edit(.role) { [trust] directory in
            try directory.updateRole(name, in: account) { role in
                if let trust { role.trustPolicy = trust }
                if let description { role.description = description }
                if let duration { role.maximumSessionDuration = duration }
                role.updated = now
            }
        }
        return ["Role": describe(role)]
    }

    fileprivate func deleteRole() async throws -> RPCValue {
        let name = try name("RoleName", .role)
        try permit(resource("role", name))
        try await edit(.role) { directory in
            try directory.deleteRole(name, in: account, unlessHolding: [.attachedPolicies])
        }
        return .done
    }

    fileprivate func listRoles() throws(RPCError) -> RPCValue {
        try permit(resource("role"))
        let wanted = try tags()
        let roles = directory.roles.values.map(\.role).filter { $0.account == account && $0.tags.has(wanted) }
        return try list("Roles", of: "Role", roles, by: \.name) { describe($0, isListed: true) }
    }
}
