import Cloud
import Federation
import Fixtures
import HTTPTypes
import Policy
import Testing
import WireFormats

@testable import CredentialsFace

@Suite("The metadata service of EC2")
struct InstanceMetadataTests {
    private static let roles = "meta-data/iam/security-credentials/"

    @Test("issues tokens for 1 to 21600 seconds (K1)", arguments: [("1", 200), ("21600", 200), ("0", 400), ("21601", 400), ("x", 400)])
    func lifetimes(lifetime: String, status: Int) async throws {
        try await DoorSandbox.run { sandbox async throws in
            let answer = try await sandbox.send(.put, "/latest/api/token", [DoorSandbox.lifetime: lifetime])
            #expect(answer.status == status)
            #expect(answer[DoorSandbox.lifetime] == (status == 200 ? lifetime : nil))
            #expect(answer.journal.operation == "GetToken")
            #expect(answer.journal.face == "imds")
        }
    }

    @Test("issues no tokens without a lifetime, to proxies and at other versions (K1)")
    func refusedTokens() async throws {
        try await DoorSandbox.run { sandbox async throws in
            #expect(try await sandbox.send(.put, "/latest/api/token").status == 400)
            let forwarded = [DoorSandbox.lifetime: "60", "X-Forwarded-For": "192.0.2.1"]
            #expect(try await sandbox.send(.put, "/latest/api/token", forwarded).status == 403)
            let old = try await sandbox.send(.put, "/2021-03-23/api/token", [DoorSandbox.lifetime: "60"])
            #expect(old.status == 403)
            #expect(old.text.contains("<title>403 - Forbidden</title>"))
        }
    }

    @Test("requires a valid token that has not expired (K2)")
    func requiredTokens() async throws {
        try await DoorSandbox.run { sandbox async throws in
            #expect(try await sandbox.send(.get, "/latest/meta-data/instance-id").status == 401)
            #expect(try await sandbox.send(.get, "/latest/meta-data/instance-id", [DoorSandbox.token: "x"]).status == 401)
            let token = try await sandbox.metadataToken()
            #expect(try await sandbox.send(.get, "/latest/meta-data/instance-id", token).text == DoorSandbox.instance)
            #expect(try await sandbox.send(.get, "/2021-03-23/meta-data/instance-id", token).text == DoorSandbox.instance)
            try await sandbox.cloud.age(by: .seconds(61))
            #expect(try await sandbox.send(.get, "/latest/meta-data/instance-id", token).status == 401)
        }
    }

    @Test("issues the credentials of the instance's role, by version 2 (K2, K3)")
    func credentials() async throws {
        try await DoorSandbox.run { sandbox async throws in
            #expect(try await sandbox.metadata(Self.roles).text == "app")
            let answer = try await sandbox.metadata(Self.roles + "app")
            #expect(answer.status == 200)
            #expect(
                answer.json.names == ["Code", "LastUpdated", "Type", "AccessKeyId", "SecretAccessKey", "Token", "Expiration"])
            #expect(answer.member("Code") == "Success")
            #expect(answer.member("Type") == "AWS-HMAC")
            let session = try answer.session(in: sandbox)
            #expect(session.principal.name == "arn:aws:sts::111122223333:assumed-role/app/i-0123456789abcdef0")
            #expect(session.credentials.expires.seconds - session.credentials.issued.seconds == 6 * 3600)
            let claims = session.credentials.claims
            #expect(claims.contains(.init(key: "ec2:RoleDelivery", values: ["2.0"])))
            #expect(
                claims.contains(
                    .init(key: "ec2:SourceInstanceARN", values: ["arn:aws:ec2:us-east-1:111122223333:instance/i-0123456789abcdef0"])))
            #expect(claims.contains(.init(key: "aws:Ec2InstanceSourcePrivateIPv4", values: ["10.0.0.10"])))
            #expect(answer.journal.operation == "GetInstanceCredentials")
            #expect(answer.journal.caller == "ec2.amazonaws.com")
            #expect(answer.journal.decisions.map(\.action) == ["sts:AssumeRole"])
        }
    }

    @Test("serves version 1 only if the seed allows it (K2)")
    func version1() async throws {
        try await DoorSandbox.run(DoorSandbox.seed(instance: "metadataTokens: 'optional'")) { sandbox async throws in
            let answer = try await sandbox.send(.get, "/latest/\(Self.roles)app")
            #expect(answer.status == 200)
            #expect(try answer.session(in: sandbox).credentials.claims.contains(.init(key: "ec2:RoleDelivery", values: ["1.0"])))
            #expect(try await sandbox.send(.get, "/latest/\(Self.roles)app", [DoorSandbox.token: "x"]).status == 401)
        }
    }

    @Test("reports a trust policy that does not name EC2 with status 200 (K4, K36)")
    func untrusted() async throws {
        try await DoorSandbox.run(DoorSandbox.seed(services: "ecs-tasks")) { sandbox async throws in
            let answer = try await sandbox.metadata(Self.roles + "app")
            #expect(answer.status == 200)
            #expect(answer.member("Code") == "AssumeRoleUnauthorizedAccess")
            #expect(answer.member("Message")?.hasPrefix("EC2 cannot assume the role app. ") == true)
            #expect(answer.json.names == ["Code", "Message", "LastUpdated"])
            #expect(answer.journal.isRefused)
            let denial = try #require(answer.journal.denial)
            #expect(denial.evidence.remedy != nil)
            #expect(answer.journal.reason?.isEmpty == false)
        }
    }

    @Test("has no roles without a profile with a role, and no other role (K4)", arguments: ["", "profile: 'none'"])
    func noRole(instance: String) async throws {
        try await DoorSandbox.run(DoorSandbox.seed(instance: instance)) { sandbox async throws in
            #expect(try await sandbox.metadata(Self.roles).status == (instance.isEmpty ? 200 : 404))
            #expect(try await sandbox.metadata(Self.roles + "other").status == 404)
        }
    }

    @Test("lists and returns items (K5)")
    func items() async throws {
        let seed = DoorSandbox.seed(instance: "availabilityZone: 'eu-west-1b', tags: {Name: 'web'}, tagsInMetadata: true, userData: '#!'")
        try await DoorSandbox.run(seed) { sandbox async throws in
            #expect(try await sandbox.metadata("meta-data/placement/").text == "availability-zone\navailability-zone-id\nregion")
            #expect(try await sandbox.metadata("meta-data/placement/region").text == "eu-west-1")
            // botocore asks with a final slash.
            #expect(try await sandbox.metadata("meta-data/placement/availability-zone/").text == "eu-west-1b")
            #expect(try await sandbox.metadata("meta-data/placement/availability-zone-id").text == "euw1-az2")
            #expect(try await sandbox.metadata("meta-data/tags/instance").text == "Name")
            #expect(try await sandbox.metadata("meta-data/tags/instance/Name").text == "web")
            #expect(try await sandbox.metadata("user-data").text == "#!")
            #expect(try await sandbox.metadata("meta-data/").text.contains("iam/\ninstance-id\n"))
            #expect(try await sandbox.metadata("meta-data/nothing").status == 404)
            let info = try await sandbox.metadata("meta-data/iam/info")
            #expect(info.member("InstanceProfileArn") == "arn:aws:iam::111122223333:instance-profile/web")
            #expect(info.member("InstanceProfileId")?.hasPrefix("AIPA") == true)
            let document = try await sandbox.metadata("dynamic/instance-identity/document")
            #expect(document.member("accountId") == "111122223333")
            #expect(document.member("region") == "eu-west-1")
            #expect(document.member("version") == "2017-09-30")
        }
    }

    @Test("has tags only if the seed allows it (K5)")
    func tagsOff() async throws {
        try await DoorSandbox.run(DoorSandbox.seed(instance: "tags: {Name: 'web'}")) { sandbox async throws in
            #expect(try await sandbox.metadata("meta-data/tags/instance").status == 404)
        }
    }

    @Test("serves no browsers and no foreign hosts (K38)")
    func browsers() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let token = try await sandbox.metadataToken()
            for (name, value) in [
                ("Origin", "http://127.0.0.1:4566"), ("Sec-Fetch-Site", "none"), ("User-Agent", "Mozilla/5.0"),
            ] {
                let answer = try await sandbox.send(.get, "/latest/\(Self.roles)app", token.merging([name: value]) { _, new in new })
                #expect(answer.status == 403, "\(name)")
            }
            #expect(try await sandbox.send(.get, "/latest/\(Self.roles)app", token, authority: "rebound.example").status == 403)
        }
    }

    @Test("answers clients of other machines only with more hops (K38)", arguments: [(1, 403), (2, 200)])
    func hops(limit: Int, status: Int) async throws {
        try await DoorSandbox.run(DoorSandbox.seed(instance: "hopLimit: \(limit)")) { sandbox async throws in
            // A proxy that is not declared hides the client.
            let fields = try await sandbox.metadataToken().merging(["X-Forwarded-For": "127.0.0.1"]) { _, new in new }
            #expect(try await sandbox.send(.get, "/latest/meta-data/instance-id", fields).status == status)
        }
    }

    @Test("has paths beside those of Alibaba Cloud (K6)")
    func paths() throws {
        let aws = HTTPFields([HTTPField(name: try #require(HTTPField.Name(DoorSandbox.lifetime)), value: "60")])
        let alibaba = HTTPFields([
            HTTPField(name: try #require(HTTPField.Name("X-aliyun-ecs-metadata-token-ttl-seconds")), value: "60")
        ])
        #expect(CredentialsFace.isForInstance(.put, "/latest/api/token", aws))
        #expect(CredentialsFace.isForInstance(.put, "/latest/api/token", [:]))
        #expect(!CredentialsFace.isForInstance(.put, "/latest/api/token", alibaba))
        #expect(!CredentialsFace.isForInstance(.get, "/latest/meta-data/ram/security-credentials/", [:]))
        #expect(CredentialsFace.isForInstance(.get, "/latest/meta-data/", [:]))
        #expect(!CredentialsFace.isForInstance(.put, "/latest/meta-data/x", [:]))
        #expect(!CredentialsFace.isForInstance(.get, "/latest/notes.txt", [:]))
    }

    @Test("fails on demand, with the status of the rule")
    func faults() async throws {
        try await DoorSandbox.run { sandbox async throws in
            let token = try await sandbox.metadataToken()
            _ = sandbox.cloud.faults.add(
                FaultRule(service: "imds", action: "GetInstanceRole", failure: .init(code: "ServiceUnavailable")))
            #expect(try await sandbox.send(.get, "/latest/\(Self.roles)", token).status == 503)
        }
    }
}
