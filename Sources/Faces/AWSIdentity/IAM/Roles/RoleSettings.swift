import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations that change the settings of a role.
    static let roleSettings: [String: Operation] = [
        "UpdateRole": .init(updateRole), "UpdateRoleDescription": .init(updateRoleDescription),
        "UpdateAssumeRolePolicy": .init(updateAssumeRolePolicy),
    ]

    /// UpdateRole. Settings that are not passed stay unchanged. For a service-linked role only the description can be changed.
    /// (IAM User Guide, "Edit a service-linked role description".)
    private static func updateRole(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let description = call.parameters.roleDescription()
        let duration = try call.parameters.integer("MaxSessionDuration", range: 3600...43200)
        let signIn = try SignInDurationChange(&call.parameters)
        let name = try call.namedRole().name
        _ = try await call.edit(.role) { [account = call.account] directory in
            try directory.updateRole(name, in: account, isDescription: description != nil && duration == nil && signIn.isEmpty) { role in
                role.description = description ?? role.description
                role.maximumSessionDuration = duration ?? role.maximumSessionDuration
                signIn.apply(to: &role.maximumSignInDuration)
            }
        }
        return { _ in }
    }

    /// UpdateRoleDescription. It is also allowed for service-linked roles.
    private static func updateRoleDescription(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let description = call.parameters.requiredText("Description", length: 0...1000, pattern: .roleDescription)
        let name = try call.namedRole().name
        let role = try await call.edit(.role) { [account = call.account] directory in
            try directory.updateRole(name, in: account, isDescription: true) { $0.description = description }
        }
        let directory = call.directory
        return { xml in xml.element("Role") { role.encode(into: &$0, as: .described, directory) } }
    }

    private static func updateAssumeRolePolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let text = call.parameters.requiredText("PolicyDocument", length: 1...131_072, pattern: .policyDocument)
        let name = try call.namedRole().name
        try await call.change(name) { [dialect = call.dialect] (role: inout Role, directory) in
            role.trustPolicy = try TrustPolicy(saving: text, in: directory, dialect)
        }
        return nil
    }
}
