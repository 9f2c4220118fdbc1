import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on users' names and passwords for single services.
    static let serviceCredentials: [String: Operation] = [
        "CreateServiceSpecificCredential": .init(createServiceCredential),
        "UpdateServiceSpecificCredential": .authorized(
            members: credentialAndStatus, on: { try $1.user($0.credential.user) }, updateServiceCredential),
        "ResetServiceSpecificCredential": .authorized(members: credential, on: { try $1.user($0.user) }, resetServiceCredential),
        "DeleteServiceSpecificCredential": .authorized(members: credential, on: { try $1.user($0.user) }, deleteServiceCredential),
        "ListServiceSpecificCredentials": .init(listServiceCredentials),
    ]

    /// The maximum number of credentials of one user for a service. (IAM User Guide, "IAM and AWS STS quotas".)
    private static let quota = 2
    /// Services whose credentials are keys that can expire.
    private static let keyServices: Set = ["bedrock.amazonaws.com"]
    private static let passwordServices: Set = ["codecommit.amazonaws.com", "cassandra.amazonaws.com"]

    private static func createServiceCredential(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let service = call.parameters.requiredText("ServiceName", length: 1...256)
        let days = try call.parameters.integer("CredentialAgeDays", range: 1...36_600)
        let name = call.parameters.requiredText("UserName", length: 1...64, pattern: .entityName)
        try call.parameters.check()
        let found: User = try call.found(name)
        try call.authorize(
            on: found.arn, tags: found.tags,
            keys: [("iam:ServiceSpecificCredentialServiceName", service)]
                + (days.map { [("iam:ServiceSpecificCredentialAgeDays", String($0))] } ?? []))
        try checkService(service)
        guard days == nil || keyServices.contains(service) else {
            throw ServiceError.invalidInput("CredentialAgeDays is not supported for the service \(service).")
        }
        let id = try UniqueID.serviceCredential.make()
        let password = try makePassword(service)
        let now = call.now
        let made = try await call.perform { [account = call.account] directory throws(CredentialRefusal) in
            try directory.addServiceCredential(for: service, of: name, in: account, limit: quota) { userName in
                ServiceCredential(
                    id: id, service: service, userName: userName, password: password, created: now,
                    expires: days.map { now + .seconds($0 * 86_400) })
            }
        }
        let clock = call.cloud.clock
        return { xml in xml.element("ServiceSpecificCredential") { made.encode(into: &$0, of: found, isSecretShown: true, clock) } }
    }

    private static func updateServiceCredential(
        _ members: (status: CredentialStatus, credential: Credential), _ found: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        try await call.setCredential(members.credential.id, in: \.serviceCredentials, of: found, isActive: members.status == .active)
        return nil
    }

    private static func resetServiceCredential(
        _ credential: Credential, _ found: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let id = credential.id
        let password = try makePassword(try call.find(id, in: found.serviceCredentials).service)
        let renewed = try await call.perform { [account = call.account] directory throws(CredentialRefusal) in
            try directory.updateCredential(id, in: \.serviceCredentials, of: found.name, in: account) { $0.password = password }
        }
        let clock = call.cloud.clock
        return { xml in xml.element("ServiceSpecificCredential") { renewed.encode(into: &$0, of: found, isSecretShown: true, clock) } }
    }

    private static func deleteServiceCredential(
        _ credential: Credential, _ found: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        try await call.deleteCredential(credential.id, in: \.serviceCredentials, of: found)
        return nil
    }

    /// ListServiceSpecificCredentials. Lists the credentials of a user, of the caller, or with `AllUsers` of the account.
    private static func listServiceCredentials(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.text("UserName", length: 1...64, pattern: .entityName)
        let service = call.parameters.text("ServiceName", length: 1...256)
        let all = try call.parameters.flag("AllUsers") ?? false
        let part = try call.parameters.part()
        try call.parameters.check()
        if all, name != nil { throw ServiceError.invalidInput("UserName and AllUsers cannot be given together.") }
        let users: [User]
        if all {
            try call.authorize(on: call.arn("user", ""))
            users = call.directory.users.values.map(\.user).filter { [account = call.account] in $0.account == account }
        } else {
            let user = try call.user(name)
            try call.authorize(on: user.arn, tags: user.tags)
            users = [user]
        }
        if let service { try checkService(service) }
        let credentials = users.flatMap { user in user.serviceCredentials.map { (user, $0) } }
            .filter { service == nil || $0.1.service == service }.sorted { $0.1.id < $1.1.id }
        let page = try Page(of: credentials, part) { $0.1.id }
        let clock = call.cloud.clock
        return { xml in
            page.encodeItems("ServiceSpecificCredentials", into: &xml) { item, xml in
                item.1.encode(into: &xml, of: item.0, isSecretShown: false, clock)
            }
            // The last page has no `IsTruncated` (from public records of the real service).
            if page.marker != nil { page.encodeEnd(into: &xml) }
        }
    }

    private static func checkService(_ service: String) throws(ServiceError) {
        guard passwordServices.contains(service) || keyServices.contains(service) else {
            throw .noSuchEntity("No such service \(service) is supported for Service Specific Credentials")
        }
    }

    private static func makePassword(_ service: String) throws -> String {
        keyServices.contains(service) ? "ABSK" + (try randomBytes(96).base64) : try randomBytes(32).base64
    }

    /// A credential as calls name it: without a user, one of the calling user.
    private typealias Credential = (user: String?, id: String)

    private static func credential(_ parameters: inout QueryParameters) -> Credential {
        let user = parameters.text("UserName", length: 1...64, pattern: .entityName)
        return (user, parameters.requiredText("ServiceSpecificCredentialId", length: 20...128, pattern: .word))
    }

    private static func credentialAndStatus(_ parameters: inout QueryParameters) -> (status: CredentialStatus, credential: Credential) {
        (parameters.status(), credential(&parameters))
    }

    fileprivate static func isKey(_ credential: ServiceCredential) -> Bool { keyServices.contains(credential.service) }
}

extension ServiceCredential {
    /// Writes the members of the shapes `ServiceSpecificCredential` and, without the secret, `ServiceSpecificCredentialMetadata`.
    fileprivate func encode(into xml: inout XMLWriter, of user: User, isSecretShown: Bool, _ clock: SandboxClock) {
        let isKey = IAMFace.isKey(self)
        xml.element("CreateDate", clock.effective(created).iso8601)
        if let expires { xml.element("ExpirationDate", clock.effectiveExpiry(expires, issuedAt: created).iso8601) }
        xml.element("ServiceName", service)
        xml.element(isKey ? "ServiceCredentialAlias" : "ServiceUserName", userName)
        if isSecretShown { xml.element(isKey ? "ServiceCredentialSecret" : "ServicePassword", password) }
        xml.element("ServiceSpecificCredentialId", id)
        xml.element("UserName", user.name)
        xml.element("Status", CredentialStatus(isActive: isActive).rawValue)
    }
}
