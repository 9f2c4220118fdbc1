import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations that change the settings of a role.
    static let roleSettings: [String: Operation] = [
        "UpdateRole": updateRole, "UpdateRoleDescription": updateRoleDescription, "UpdateAssumeRolePolicy": updateAssumeRolePolicy,
    ]

    /// UpdateRole. Settings that are not passed stay unchanged. For a service-linked role only the description can be changed.
    /// (IAM User Guide, "Edit a service-linked role description".)
    private static func updateRole(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let description = call.parameters.roleDescription()
        let duration = try call.parameters.integer("MaxSessionDuration", range: 3600...43200)
        let name = try call.namedRole().name
        try await call.cloud.edit { [account = call.account] directory in
            var role = try Role.required(name, in: directory, account: account)
            if description == nil || duration != nil { try role.checkIsModifiable() }
            role.description = description ?? role.description
            role.maximumSessionDuration = duration ?? role.maximumSessionDuration
            directory.put(.role(role))
        }
        return { _ in }
    }

    /// UpdateRoleDescription. It is also allowed for service-linked roles.
    private static func updateRoleDescription(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let description = call.parameters.requiredText("Description", length: 0...1000, pattern: .roleDescription)
        let name = try call.namedRole().name
        let role = try await call.cloud.edit { [account = call.account] directory in
            var role = try Role.required(name, in: directory, account: account)
            role.description = description
            directory.put(.role(role))
            return role
        }
        let directory = call.directory
        return { xml in xml.element("Role") { role.encode(into: &$0, as: .described, directory) } }
    }

    private static func updateAssumeRolePolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let text = call.parameters.requiredText("PolicyDocument", length: 1...131_072, pattern: .policyDocument)
        let name = try call.namedRole().name
        try await call.changeRole(name) { [dialect = call.dialect] role, directory in
            role.trustPolicy = try TrustPolicy(saving: text, in: directory, dialect)
        }
        return nil
    }
}

extension IAMCall {
    /// Applies a change to a role of the account, unless it belongs to a service.
    func changeRole(_ name: String, _ change: (inout Role, Directory) throws -> Void) async throws {
        try await cloud.edit { [account] directory in
            var role = try Role.required(name, in: directory, account: account)
            try role.checkIsModifiable()
            try change(&role, directory)
            directory.put(.role(role))
        }
    }
}
