import Cloud
import Federation
import Fixtures
import HTTPTypes
import Policy
import Testing
import WireFormats

@testable import CredentialsFace

@Suite("The credentials of ECS tasks")
struct ContainerTests {
    @Test("have the members that SDKs read (K7)")
    func credentials() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let answer = try await sandbox.send(.get, DoorSandbox.task)
            #expect(answer.status == 200)
            #expect(answer.json.names == ["RoleArn", "AccessKeyId", "SecretAccessKey", "Token", "Expiration"])
            #expect(answer.member("RoleArn") == "arn:aws:iam::111122223333:role/app")
            let session = try answer.session(in: sandbox)
            #expect(session.principal.name == "arn:aws:sts::111122223333:assumed-role/app/9781c2486b7a4e2f8f0a1c2d3e4f5a6b")
            #expect(session.credentials.expires.seconds - session.credentials.issued.seconds == 3600)
            #expect(answer.journal.face == "container")
            #expect(answer.journal.operation == "GetTaskCredentials")
            #expect(answer.journal.caller == "ecs-tasks.amazonaws.com")
        }
    }

    @Test("have the agent's errors (K7)", arguments: [("/v2/credentials", "NoIdInRequest"), ("/v2/credentials/x", "InvalidIdInRequest")])
    func errors(path: String, code: String) async throws {
        try await DoorSandbox.run { sandbox async throws in
            let answer = try await sandbox.send(.get, path)
            #expect(answer.status == 400)
            #expect(answer.member("code") == code)
            #expect(answer.json["HTTPErrorCode"] == 400)
            #expect(answer.member("message")?.hasPrefix("CredentialsV2Request: ") == true)
        }
    }

    @Test("require the authorization token of the task (K7)")
    func authorization() async throws {
        try await DoorSandbox.run(DoorSandbox.seed(task: "authorizationToken: 'secret'")) { sandbox async throws in
            #expect(try await sandbox.send(.get, DoorSandbox.task).status == 403)
            #expect(try await sandbox.send(.get, DoorSandbox.task, ["Authorization": "other"]).status == 403)
            #expect(try await sandbox.send(.get, DoorSandbox.task, ["Authorization": "secret"]).status == 200)
            // With a token, clients may be anywhere.
            let remote = ["Authorization": "secret", "X-Forwarded-For": "192.0.2.1"]
            #expect(try await sandbox.send(.get, DoorSandbox.task, remote).status == 200)
        }
    }

    @Test("are for clients of this machine if the task has no token (K38)")
    func otherMachines() async throws {
        try await DoorSandbox.run { sandbox async throws in
            #expect(try await sandbox.send(.get, DoorSandbox.task, ["X-Forwarded-For": "192.0.2.1"]).status == 403)
            #expect(try await sandbox.send(.get, DoorSandbox.task, ["Origin": "http://evil.example"]).status == 403)
            #expect(try await sandbox.send(.get, DoorSandbox.task, authority: "rebound.example").status == 403)
        }
    }

    @Test(
        "depend on the trust policy, which sees the task (K7, K36)",
        arguments: [
            ("{StringEquals: {'aws:SourceAccount': '111122223333'}}", true),
            ("{StringEquals: {'aws:SourceAccount': '999999999999'}}", false),
            ("{ArnLike: {'aws:SourceArn': 'arn:aws:ecs:us-east-1:111122223333:task/shop/*'}}", true),
            ("{Bool: {'aws:PrincipalIsAWSService': 'true'}}", true),
            ("{IpAddress: {'aws:SourceIp': '0.0.0.0/0'}}", false),
            ("{StringEquals: {'aws:PrincipalServiceName': 'ecs-tasks.amazonaws.com'}}", true),
        ])
    func trust(condition: String, isTrusted: Bool) async throws {
        try await DoorSandbox.run(DoorSandbox.seed(condition: condition)) { sandbox async throws in
            let answer = try await sandbox.send(.get, DoorSandbox.task)
            #expect(answer.status == (isTrusted ? 200 : 400))
            #expect(answer.journal.isRefused == !isTrusted)
            #expect((answer.journal.denial == nil) == isTrusted)
            if !isTrusted { #expect(answer.member("code") == "InvalidIdInRequest") }
        }
    }

    @Test("have metadata in version 4 (K8)")
    func metadata() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let id = "9781c2486b7a4e2f8f0a1c2d3e4f5a6b"
            let container = try await sandbox.send(.get, "/v4/\(id)")
            #expect(container.status == 200)
            #expect(container.json["Labels"]?["com.amazonaws.ecs.cluster"] == "shop")
            for name in ["DockerId", "Name", "Image", "DesiredStatus", "KnownStatus", "CreatedAt", "Type", "Networks", "ContainerARN"] {
                #expect(container.json[name] != nil, "\(name)")
            }
            let task = try await sandbox.send(.get, "/v4/\(id)/task")
            #expect(task.member("TaskARN") == "arn:aws:ecs:us-east-1:111122223333:task/shop/\(id)")
            #expect(task.json["Containers"]?.arrayValue?.count == 1)
            #expect(task.journal.operation == "GetTaskMetadata")
            for path in ["/v4", "/v4/x", "/v4/\(id)/x", "/v4/x/task"] { #expect(try await sandbox.send(.get, path).status == 404) }
            #expect(try await sandbox.send(.get, "/v4/\(id)", ["X-Forwarded-For": "192.0.2.1"]).status == 403)
        }
    }

    @Test(
        "are also at the paths of amazon-ecs-local-container-endpoints (K8)",
        arguments: [
            ("/creds", "app/9781c2486b7a4e2f8f0a1c2d3e4f5a6b"), ("/role/app", "app/ecs-local-app"),
            ("/role-arn/arn:aws:iam::111122223333:role/app", "app/ecs-local-app"),
        ])
    func local(path: String, session: String) async throws {
        try await DoorSandbox.run { sandbox async throws in
            let answer = try await sandbox.send(.get, path)
            #expect(answer.status == 200)
            #expect(try answer.session(in: sandbox).principal.name == "arn:aws:sts::111122223333:assumed-role/\(session)")
            #expect(try await sandbox.send(.get, path, ["Origin": "null"]).status == 403)
        }
    }

    @Test("are refused at these paths for roles that do not trust ECS (K8)", arguments: ["/role/data", "/role/none", "/role-arn/arn:x"])
    func localRefusal(path: String) async throws {
        try await DoorSandbox.run { sandbox async throws in
            #expect(try await sandbox.send(.get, path).status == 400)
        }
    }

    @Test("have paths that buckets can have, too (K8)")
    func localPaths() {
        #expect(CredentialsFace.bucketWithPathOfTask(.get, "/creds") == "creds")
        #expect(CredentialsFace.bucketWithPathOfTask(.get, "/role/app") == "role")
        #expect(CredentialsFace.bucketWithPathOfTask(.put, "/role/app") == nil)
        #expect(CredentialsFace.bucketWithPathOfTask(.get, "/role") == nil)
        #expect(CredentialsFace.bucketWithPathOfTask(.get, "/credsx") == nil)
    }
}
