import Calls
import Directory
import HTTPTypes
import WireFormats

/// The task metadata of ECS's container agent, in version 4. (ECS Developer Guide, "Amazon ECS task metadata endpoint version 4".)
struct TaskMetadataDoor: CredentialDoor {
    let kind = CredentialSources.Kind.task
    /// The ID of the task in either form.
    private let id: String
    /// Whether the request is for the task, and not for its container.
    private let isForTask: Bool

    /// - Returns: `nil` for other paths than `/v4` and those below it. Only `/v4/ID` and `/v4/ID/task` exist.
    init?(_ path: String) {
        let parts = path.split(separator: "/").map { String($0) }
        guard let first = parts.first, CredentialSources.pathOfTaskMetadata == "/\(first)" else { return nil }
        let isKnown = parts.count == 2 || parts.count == 3 && parts[2] == "task"
        (id, isForTask) = (isKnown ? parts[1] : "", parts.count == 3)
    }

    func operation(of call: CredentialCall) -> String { isForTask ? "GetTaskMetadata" : "GetContainerMetadata" }

    func respond(to call: CredentialCall) async throws -> Response {
        try call.refusePages()
        guard call.http.method == .get || call.http.method == .head else {
            throw DoorFailure("MethodNotAllowed", .methodNotAllowed, "Use GET.")
        }
        guard call.http.isFromThisMachine else {
            throw DoorFailure("AccessDenied", .forbidden, "Only clients of this machine get the metadata of tasks.")
        }
        guard let task = call.directory.credentialSources.tasks.first(where: { $0.id == id || $0.credentialsID == id }) else {
            throw DoorFailure("NotFound", .notFound, "V4 metadata handler: unable to get task arn from request: The seed has no such task.")
        }
        try await call.applyFaults(at: self, resources: [task.arn])
        let container = Self.container(of: task, at: call.http.received)
        guard isForTask else { return .json(.object(container), headers: .unstored) }
        return .json(
            [
                "Cluster": .string("arn:aws:ecs:\(task.region):\(task.account):cluster/\(task.cluster)"), "TaskARN": .string(task.arn),
                "Family": .string(task.role), "Revision": "1", "DesiredStatus": "RUNNING", "KnownStatus": "RUNNING",
                "Containers": [.object(container)], "AvailabilityZone": .string("\(task.region)a"), "LaunchType": "FARGATE",
            ], headers: .unstored)
    }

    private static func container(of task: ContainerTask, at time: Timestamp) -> JSONObject {
        let image = "public.ecr.aws/docker/library/\(task.role):latest"
        return [
            "DockerId": .string("\(task.id)-0000000000"), "Name": .string(task.role), "DockerName": .string(task.role),
            "Image": .string(image),
            "Labels": [
                "com.amazonaws.ecs.cluster": .string(task.cluster), "com.amazonaws.ecs.container-name": .string(task.role),
                "com.amazonaws.ecs.task-arn": .string(task.arn), "com.amazonaws.ecs.task-definition-family": .string(task.role),
                "com.amazonaws.ecs.task-definition-version": "1",
            ],
            "DesiredStatus": "RUNNING", "KnownStatus": "RUNNING", "CreatedAt": .string(time.iso8601), "Type": "NORMAL",
            "ContainerARN": .string(
                "arn:aws:ecs:\(task.region):\(task.account):container/\(task.cluster)/\(task.id)/\(task.credentialsID)"),
            "Networks": [["NetworkMode": "awsvpc", "IPv4Addresses": ["10.0.0.20"]]],
        ]
    }

    func response(to failure: DoorFailure, of call: CredentialCall) -> Response {
        Response(status: failure.status, contentType: "text/plain; charset=utf-8", headers: .unstored, text: failure.message + "\n")
    }
}
