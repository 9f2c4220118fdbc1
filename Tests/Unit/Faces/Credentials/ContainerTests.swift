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
}
