import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on roles; those on their policies and tags are in separate files.
    static let roles: [String: Operation] = [
        "CreateRole": .init(createRole), "GetRole": .init(getRole), "DeleteRole": .init(deleteRole),
        "ListRoles": .list(of: "role", listRoles),
    ]

    private static func createRole(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let path = call.parameters.path() ?? "/"
        let name = call.parameters.requiredText("RoleName", length: 1...64, pattern: .entityName)
        let text = call.parameters.requiredText("AssumeRolePolicyDocument", length: 1...131_072, pattern: .policyDocument)
        let description = call.parameters.roleDescription()
        let duration = try call.parameters.integer("MaxSessionDuration", range: 3600...43200) ?? 3600
        let signInDuration = try call.parameters.signInDuration()
        let boundary = call.parameters.boundary()
        let tags = call.parameters.tags(most: 50)
        try call.parameters.check()
        guard !path.hasPrefix(Role.servicePath) else {
            // tilfin/aws-iam-policy-tool#9, hashicorp/terraform-provider-aws#3695.
            throw ServiceError.invalidInput("Path prefix '/aws-service-role/' can only be used for AWS Service linked Roles")
        }
        // The text is Virga's.
        guard !path.hasPrefix(IdentityCenter.reservedPath) else {
            throw ServiceError.invalidInput("Path prefix '/aws-reserved/' can only be used for roles that AWS makes")
        }
        let arn = call.arn("role", name, path: path)
        try call.authorize(on: arn, newTags: tags, keys: boundary.map { [("iam:PermissionsBoundary", $0)] } ?? [])
        try call.admit(tags, Role.tagFamily, on: arn)
        let id = try UniqueID.role.make()
        let role = try await call.edit(.role) { [account = call.account, now = call.now, dialect = call.dialect] directory in
            if let boundary { try directory.checkBoundary(boundary, in: account) }
            var role = Role(
                account: account, name: name, path: path, id: id, created: now, description: description,
                trustPolicy: try TrustPolicy(saving: text, in: directory, dialect), boundary: boundary, tags: tags,
                maximumSessionDuration: duration)
            role.maximumSignInDuration = signInDuration
            try directory.createRole(role)
            return role
        }
        let directory = call.directory
        return { xml in xml.element("Role") { role.encode(into: &$0, as: .created, trustText: text, directory) } }
    }

    private static func getRole(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let role = try call.namedRole()
        let directory = call.directory
        return { xml in xml.element("Role") { role.encode(into: &$0, as: .complete, directory) } }
    }

    private static func deleteRole(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let named = try call.namedRole()
        try await call.edit(.role) { [account = call.account] directory in
            try directory.deleteRole(
                named.name, in: account, unlessHolding: [.instanceProfiles, .attachedPolicies, .inlinePolicies])
        }
        return nil
    }

    private static func listRoles(_ members: (path: String, part: PagePart), _ call: IAMCall) async throws -> QueryService.Result? {
        let directory = call.directory
        let page = try Page(of: directory.roles, in: call.account, members.part) { $0.role.path.hasPrefix(members.path) }
        return { xml in page.encode("Roles", into: &xml) { found, xml in found.value.role.encode(into: &xml, as: .listed, directory) } }
    }
}

extension ServiceError {
    static func missingRole(_ name: String) -> ServiceError { .noSuchEntity("The role with name \(name) cannot be found.") }

    /// The refusal to change a role that belongs to a service.
    static func protectedRole(_ name: String) -> ServiceError {
        ServiceError(
            "UnmodifiableEntity", .badRequest,
            "Cannot perform the operation on the protected role '\(name)' - this role is only modifiable by AWS")
    }
}

extension QueryParameters {
    /// Reads the `Description` of a role.
    mutating func roleDescription() -> String? { text("Description", length: 0...1000, pattern: .roleDescription) }
}

extension QueryParameters.Pattern {
    static let roleDescription = Self(text: "[\\u0009\\u000A\\u000D\\u0020-\\u007E\\u00A1-\\u00FF]*") { scalar in
        policy.accepts(scalar) && !(0x7F...0xA0).contains(scalar.value)
    }
}

extension IAMCall {
    /// Returns the role that `RoleName` names. Authorizes the call on it.
    mutating func namedRole(keys: [OperationKey] = []) throws(ServiceError) -> Role {
        let name = parameters.requiredText("RoleName", length: 1...64, pattern: .entityName)
        try parameters.check()
        return try role(name, keys: keys)
    }

    /// Returns the role with a name. Authorizes the call on it.
    func role(_ name: String, keys: [OperationKey] = []) throws(ServiceError) -> Role {
        guard let role = directory.role(name, in: account)?.role else {
            try authorize(on: arn("role", name), keys: keys)
            throw .missingRole(name)
        }
        try authorize(on: role.arn, tags: role.tags, keys: keys)
        return role
    }
}

extension Role {
    /// Which members an answer has.
    enum View {
        /// The members in CreateRole, which are not all.
        case created
        case listed
        /// The members in UpdateRoleDescription: those of lists except the session duration.
        case described
        case complete
        /// The members within an instance profile.
        case contained
    }

    /// Writes the members of the shape `Role`.
    /// - Parameter trustText: the trust policy as it was sent. CreateRole returns it without the ARNs that IAM puts in the place of account IDs
    ///   (recorded from the service on 2024-06-05 and 2025-04-10, localstack/localstack, test_assume_role and test_assume_role_tag_validation).
    func encode(into xml: inout XMLWriter, as view: View, trustText: String? = nil, _ directory: Directory) {
        xml.element("Path", path)
        xml.element("RoleName", name)
        xml.element("RoleId", id)
        xml.element("Arn", arn)
        xml.element("CreateDate", created.iso8601)
        xml.element("AssumeRolePolicyDocument", percentEncoded(trustText ?? trustPolicy.shownText(in: directory)))
        if view == .listed || view == .described || view == .complete {
            if let description { xml.element("Description", description) }
            if view != .described { xml.element("MaxSessionDuration", maximumSessionDuration) }
        }
        if view != .described, view != .contained, let maximumSignInDuration {
            xml.element("MaxSigninSessionDuration", maximumSignInDuration)
        }
        guard view == .created || view == .complete else { return }
        if let boundary { xml.boundary(boundary) }
        xml.tags(tags)
        if view == .complete { encodeLastUse(into: &xml, directory) }
    }

    /// Writes `RoleLastUsed`, empty if the role has not been used since the sandbox started.
    func encodeLastUse(into xml: inout XMLWriter, _ directory: Directory) {
        xml.element("RoleLastUsed") { xml in
            guard let last = directory.role(arn: arn)?.activity.last else { return }
            xml.element("LastUsedDate", last.time.iso8601)
            xml.element("Region", last.region)
        }
    }
}
