import Calls
import Cryptography
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The credentials endpoint of ECS's container agent. (ECS Developer Guide, "Task IAM role"; the errors are those of the agent.)
struct ContainerDoor: CredentialDoor {
    let kind = CredentialSources.Kind.task
    /// The ID of the task's credentials in the path; empty for none.
    private let id: String

    /// The principal of trust policies.
    private static let principal = "ecs-tasks.amazonaws.com"
    /// The lifetime of credentials in seconds.
    private static let duration = 3600

    /// - Returns: `nil` for other paths.
    init?(_ path: String) {
        guard path.hasPrefix(CredentialSources.pathOfTasks) else { return nil }
        let rest = path.dropFirst(CredentialSources.pathOfTasks.count)
        guard rest.isEmpty || rest.hasPrefix("/") else { return nil }
        id = String(rest.dropFirst())
    }

    func operation(of call: CredentialCall) -> String { "GetTaskCredentials" }

    func respond(to call: CredentialCall) async throws -> Response {
        try call.refusePages()
        guard call.http.method == .get || call.http.method == .head else {
            throw DoorFailure("MethodNotAllowed", .methodNotAllowed, "Use GET.")
        }
        guard !id.isEmpty else {
            throw DoorFailure("NoIdInRequest", .badRequest, "CredentialsV2Request: No Credential ID in the request")
        }
        guard let task = call.directory.credentialSources.task(credentialsID: id) else {
            throw Self.unknown("No task of the seed has these credentials.")
        }
        // The agent has no token, but what implements its protocol elsewhere has one.
        if let expected = task.authorizationToken {
            guard constantTimeEquals(call.http.headers.value(of: .authorization) ?? "", expected) else {
                throw DoorFailure("AccessDenied", .forbidden, "CredentialsV2Request: The authorization token is missing or wrong")
            }
        } else {
            try call.refuseOtherMachines(remedy: "authorizationToken")
        }
        guard let role = call.directory.role(task.role, in: task.account) else { throw Self.unknown("The task role does not exist.") }
        try await call.applyFaults(at: self, caller: Self.principal, resources: [role.arn, task.arn])
        let assumption = RoleAssumption(of: role, named: task.id)
        let service = ServiceCaller(
            principal: Self.principal, sourceARN: task.arn, sourceAccount: task.account, region: task.region)
        guard call.http.authorize(assumption, by: service).isAllowed else {
            throw Self.unknown("ECS cannot assume the role \(role.role.name).")
        }
        let issued = IssuedCredentials(role.arn, try call.sessions.session(by: assumption, duration: Self.duration))
        return .json(.object(JSONObject([("RoleArn", JSONValue.string(issued.role))] + issued.members)), headers: .unstored)
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
