import Calls
import Cryptography
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The credentials endpoint of ECS's container agent, and that of amazon-ecs-local-container-endpoints, which names no task.
/// (ECS Developer Guide, "Task IAM role"; the errors are those of the agent.)
struct ContainerDoor: CredentialDoor {
    /// What a path requests.
    private enum Wanted {
        /// The credentials with an ID; empty for none.
        case credentials(String)
        /// Those of the first task.
        case firstTask
        /// Those of a role of the first task's account: its name or its ARN.
        case role(String)
    }

    let kind = CredentialSources.Kind.task
    private let wanted: Wanted

    /// The principal of trust policies.
    private static let principal = "ecs-tasks.amazonaws.com"
    /// The lifetime of credentials in seconds.
    private static let duration = 3600

    /// - Returns: `nil` for other paths.
    init?(_ path: String) {
        if let wanted = Self.local(path) {
            self.wanted = wanted
            return
        }
        guard path.hasPrefix(CredentialSources.pathOfTasks) else { return nil }
        let rest = path.dropFirst(CredentialSources.pathOfTasks.count)
        guard rest.isEmpty || rest.hasPrefix("/") else { return nil }
        wanted = .credentials(String(rest.dropFirst()))
    }

    /// Returns what a path of amazon-ecs-local-container-endpoints requests; `nil` for other paths.
    private static func local(_ path: String) -> Wanted? {
        if path == "/creds" { return .firstTask }
        for prefix in ["/role/", "/role-arn/"] where path.hasPrefix(prefix) {
            let name = percentDecoded(String(path.dropFirst(prefix.count))) ?? ""
            let isARN = name.hasPrefix("arn:")
            return !name.isEmpty && isARN == (prefix == "/role-arn/") ? .role(name) : nil
        }
        return nil
    }

    /// Returns the bucket whose objects have a path like those of amazon-ecs-local-container-endpoints; `nil` for another path.
    static func bucket(withPath path: String) -> String? {
        local(path) == nil ? nil : path.split(separator: "/").first.map { String($0) }
    }

    func operation(of call: CredentialCall) -> String { "GetTaskCredentials" }

    func respond(to call: CredentialCall) async throws -> Response {
        try call.refusePages()
        guard call.http.method == .get || call.http.method == .head else {
            throw DoorFailure("MethodNotAllowed", .methodNotAllowed, "Use GET.")
        }
        let (task, role, name) = try target(call)
        // The agent has no token, but what implements its protocol elsewhere has one.
        if let expected = task.authorizationToken {
            guard constantTimeEquals(call.http.headers.value(of: .authorization) ?? "", expected) else {
                throw DoorFailure("AccessDenied", .forbidden, "CredentialsV2Request: The authorization token is missing or wrong")
            }
        } else {
            try call.refuseOtherMachines(remedy: "authorizationToken")
        }
        guard let role else { throw Self.unknown("The role does not exist.") }
        try await call.applyFaults(at: self, caller: Self.principal, resources: [role.arn, task.arn])
        let assumption = RoleAssumption(of: role, named: name)
        let service = ServiceCaller(
            principal: Self.principal, sourceARN: task.arn, sourceAccount: task.account, region: task.region)
        guard call.http.authorize(assumption, by: service).isAllowed else {
            throw Self.unknown("ECS cannot assume the role \(role.role.name).")
        }
        let issued = IssuedCredentials(role.arn, try call.sessions.session(by: assumption, duration: Self.duration))
        return .json(.object(JSONObject([("RoleArn", JSONValue.string(issued.role))] + issued.members)), headers: .unstored)
    }

    /// Returns the task, its role or the requested one, and the name of the session.
    private func target(_ call: CredentialCall) throws(DoorFailure) -> (task: ContainerTask, role: RoleEntry?, session: String) {
        let sources = call.directory.credentialSources
        if case .credentials(let id) = wanted {
            guard !id.isEmpty else {
                throw DoorFailure("NoIdInRequest", .badRequest, "CredentialsV2Request: No Credential ID in the request")
            }
            guard let task = sources.task(credentialsID: id) else { throw Self.unknown("No task of the seed has these credentials.") }
            return (task, call.directory.role(task.role, in: task.account), task.id)
        }
        guard let task = sources.tasks.first else { throw Self.unknown("The seed has no task.") }
        guard case .role(let name) = wanted else { return (task, call.directory.role(task.role, in: task.account), task.id) }
        let role = name.hasPrefix("arn:") ? call.directory.role(arn: name, at: .aws) : call.directory.role(name, in: task.account)
        guard role.map({ $0.role.account.equals(task.account) }) ?? true else { throw Self.unknown("The role is of another account.") }
        // A role of another task needs that task's token.
        let owner = role.flatMap { role in
            sources.tasks.first { $0.account.equals(task.account) && $0.role.equals(role.role.name) }
        }
        let session = "ecs-local-\(role?.role.name ?? "")"
        return (owner ?? task, role, String(decoding: session.utf8.prefix(64), as: UTF8.self))
    }

    private static func unknown(_ cause: String) -> DoorFailure {
        DoorFailure("InvalidIdInRequest", .badRequest, "CredentialsV2Request: Credentials not found", cause: cause)
    }

    func response(to failure: DoorFailure, of call: CredentialCall) -> Response {
        .json(
            [
                "code": .string(failure.code), "message": .string(failure.message),
                "HTTPErrorCode": .integer(Int64(failure.status.code)),
            ], status: failure.status, headers: .unstored)
    }
}
