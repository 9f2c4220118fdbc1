import Cloud
import Directory
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("GetSessionToken and GetFederationToken")
struct SessionTokenTests {
    private let ann = STSSandbox.signature("ann")
    private let bob = STSSandbox.signature("bob")
    private let root = STSSandbox.Signature("test", "test")

    private func run(_ test: (STSSandbox) async throws -> Void) async throws {
        try await STSSandbox.run(seed: STSSandbox.principals, test)
    }

    private func expect(_ answer: STSAnswer, _ status: Int, _ code: String?, _ message: String? = nil) {
        #expect(answer.status == status, "\(answer.status) \(answer.code ?? "") \(answer.message ?? "")")
        #expect(answer.code == code, "\(answer.status) \(answer.code ?? "") \(answer.message ?? "")")
        if let message { #expect(answer.message == message) }
    }

    private func lifetime(_ answer: STSAnswer, _ sts: STSSandbox) throws -> Int64 {
        try #require(answer["Expiration"].flatMap { Timestamp(iso8601: $0) }).seconds - sts.cloud.clock.now.seconds
    }

    @Test("need no permission for a user's own session", arguments: ["ann", "bob", "cleo"])
    func session(user: String) async throws {
        try await run { sts async throws in
            let answer = try await sts.call("GetSessionToken", as: STSSandbox.signature(user))
            expect(answer, 200, nil)
            #expect(
                answer.xml.child("GetSessionTokenResult")?.children.map(\.name) == [
                    "Credentials", "SessionTokenSize", "SessionTokenUtilization",
                ])
            let caller = try await sts.callerIdentity(answer.credentials)
            #expect(caller["Arn"] == "arn:aws:iam::000000000000:user/\(user)")
            #expect(caller["UserId"]?.hasPrefix("AIDA") == true)
        }
    }

    @Test(
        "last as long as requested, for the root user at most an hour",
        arguments: [
            ("bob", nil, 43_200), ("bob", 900, 900), ("bob", 129_600, 129_600), ("root", nil, 3600), ("root", 43_200, 3600),
            ("root", 900, 900),
        ] as [(String, Int?, Int64)])
    func durations(user: String, asked: Int?, lasts: Int64) async throws {
        try await run { sts async throws in
            let signature = user == "root" ? root : bob
            let duration: FormFields = asked.map { ["DurationSeconds": String($0)] } ?? [:]
            let session = try await sts.call("GetSessionToken", duration, as: signature)
            #expect(try (lasts - 5...lasts).contains(lifetime(session, sts)))
            var guest: FormFields = ["Name": "guest"]
            guest.fields += duration.fields
            let federated = try await sts.call("GetFederationToken", guest, as: signature)
            #expect(try (lasts - 5...lasts).contains(lifetime(federated, sts)))
        }
    }

    @Test("validate their parameters")
    func parameters() async throws {
        try await run { sts async throws in
            for duration in ["899", "129601"] {
                try await expect(sts.call("GetSessionToken", ["DurationSeconds": duration], as: bob), 400, "ValidationError")
                try await expect(
                    sts.call("GetFederationToken", ["Name": "guest", "DurationSeconds": duration], as: bob), 400, "ValidationError")
            }
            for name in ["x", String(repeating: "x", count: 33), "a b"] {
                try await expect(sts.call("GetFederationToken", ["Name": name], as: bob), 400, "ValidationError")
            }
            try await expect(sts.call("GetFederationToken", as: bob), 400, "ValidationError")
            try await expect(
                sts.call("GetFederationToken", ["Name": "guest", "Policy": "{}"], as: bob), 400, "MalformedPolicyDocument")
        }
    }

    @Test("record that an MFA device was used")
    func multiFactor() async throws {
        try await run { sts async throws in
            let serial = try await sts.addDevice(for: "ann")
            let answer = try await sts.call("GetSessionToken", ["SerialNumber": serial, "TokenCode": sts.code], as: ann)
            expect(answer, 200, nil)
            try await expect(sts.take("mfa", as: answer.credentials), 200, nil)
            let without = try await sts.call("GetSessionToken", as: ann)
            try await expect(sts.take("mfa", as: without.credentials), 403, "AccessDenied")
        }
    }

    @Test("accept the root user's device")
    func rootDevice() async throws {
        try await run { sts async throws in
            let serial = try await sts.addDevice(for: "")
            try await expect(sts.call("GetSessionToken", ["SerialNumber": serial, "TokenCode": sts.code], as: root), 200, nil)
            try await expect(sts.call("GetSessionToken", ["SerialNumber": serial, "TokenCode": sts.code], as: ann), 403, "AccessDenied")
        }
    }

    @Test("are refused to temporary credentials, and their sessions may call few STS operations")
    func restrictions() async throws {
        try await run { sts async throws in
            let session = try await sts.call("GetSessionToken", as: bob).credentials
            let federated = try await sts.call(
                "GetFederationToken",
                ["Name": "guest", "Policy": #"{"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}"#], as: bob
            ).credentials
            let role = try await sts.take("taking", as: bob).credentials
            for (signature, refused) in [
                (session, ["GetSessionToken", "GetFederationToken", "GetAccessKeyInfo", "GetWebIdentityToken"]),
                (federated, ["GetSessionToken", "GetFederationToken", "GetAccessKeyInfo", "AssumeRole"]),
                (role, ["GetSessionToken", "GetFederationToken"]),
            ] {
                try await expect(sts.callerIdentity(signature), 200, nil)
                for action in refused {
                    try await expect(
                        sts.call(action, as: signature), 403, "AccessDenied", "Cannot call \(action) with session credentials")
                }
            }
            try await expect(sts.take("for-account", as: session), 200, nil)
        }
    }

    @Test("name a federated user by account and name")
    func federatedUser() async throws {
        try await run { sts async throws in
            let policy = #"{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"*"}}"#
            let answer = try await sts.call("GetFederationToken", ["Name": "guest", "Policy": policy], as: bob)
            expect(answer, 200, nil)
            #expect(
                answer.xml.child("GetFederationTokenResult")?.children.map(\.name) == [
                    "Credentials", "SessionTokenSize", "SessionTokenUtilization", "FederatedUser", "PackedPolicySize",
                ])
            #expect(answer["FederatedUserId"] == "000000000000:guest")
            #expect(answer["Arn"] == "arn:aws:sts::000000000000:federated-user/guest")
            let caller = try await sts.callerIdentity(answer.credentials)
            #expect(caller["Arn"] == answer["Arn"])
            #expect(caller["UserId"] == "000000000000:guest")
            #expect(caller["Account"] == "000000000000")
        }
    }

    @Test("evaluate whether a user may federate and tag")
    func permissions() async throws {
        try await run { sts async throws in
            try await expect(
                sts.call("GetFederationToken", ["Name": "guest"], as: ann), 403, "AccessDenied",
                "User: arn:aws:iam::000000000000:user/ann is not authorized to perform: sts:GetFederationToken on resource: "
                    + "arn:aws:sts::000000000000:federated-user/guest because no identity-based policy allows the sts:GetFederationToken action"
            )
            let tags: FormFields = ["Name": "guest", "Tags.member.1.Key": "team", "Tags.member.1.Value": "red"]
            let tagged = try await sts.call("GetFederationToken", tags, as: bob)
            expect(tagged, 200, nil)
            #expect(tagged.journal.decisions.map(\.action) == ["sts:GetFederationToken", "sts:TagSession"])
        }
    }

    @Test("end when their user is deleted")
    func deletion() async throws {
        try await run { sts async throws in
            let session = try await sts.call("GetSessionToken", as: bob).credentials
            let federated = try await sts.call("GetFederationToken", ["Name": "guest"], as: bob).credentials
            try await sts.cloud.edit { $0.remove(.init(.user, "arn:aws:iam::000000000000:user/bob")) }
            try await expect(sts.callerIdentity(session), 403, "InvalidClientTokenId")
            try await expect(sts.callerIdentity(federated), 403, "InvalidClientTokenId")
        }
    }

    @Test("return the account of any key, also of a session's key")
    func accessKeys() async throws {
        try await run { sts async throws in
            let dora = STSSandbox.signature("dora")
            let session = try #require(try await sts.call("GetSessionToken", as: dora)["AccessKeyId"])
            let role = try #require(try await sts.take("taking", as: bob)["AccessKeyId"])
            try await sts.cloud.edit { directory in
                var user = try #require(directory.user("ann", in: STSSandbox.account)?.user)
                user.accessKeys.append(AccessKey(id: "AKIAANNANNANNANN", secret: "x"))
                directory.put(.user(user))
            }
            for (key, account) in [(session, "111111111111"), (role, "000000000000"), ("AKIAANNANNANNANN", "000000000000")] {
                let answer = try await sts.call("GetAccessKeyInfo", ["AccessKeyId": key], as: bob)
                expect(answer, 200, nil)
                #expect(answer["Account"] == account)
            }
            try await expect(sts.call("GetAccessKeyInfo", ["AccessKeyId": "AKIAIOSFODNN7EXAMPLE"], as: bob), 400, "ValidationError")
            try await expect(sts.call("GetAccessKeyInfo", ["AccessKeyId": "short"], as: bob), 400, "ValidationError")
            try await expect(
                sts.call("GetAccessKeyInfo", ["AccessKeyId": session], as: ann), 403, "AccessDenied",
                "User: arn:aws:iam::000000000000:user/ann is not authorized to perform: sts:GetAccessKeyInfo "
                    + "because no identity-based policy allows the sts:GetAccessKeyInfo action")
        }
    }

    @Test("differ from operations that are always denied and operations that do not exist")
    func others() async throws {
        try await run { sts async throws in
            try await expect(
                sts.call(
                    "AssumeRoot", ["TargetPrincipal": "111111111111", "TaskPolicyArn.arn": "arn:aws:iam::aws:policy/root-task/X"], as: bob),
                403, "AccessDenied",
                "User: arn:aws:iam::000000000000:user/bob is not authorized to perform: sts:AssumeRoot on resource: arn:aws:iam::111111111111:root"
            )
            try await expect(sts.call("AssumeRoot", as: bob), 400, "ValidationError")
            try await expect(sts.call("GetDelegatedAccessToken", ["TradeInToken": "x"], as: bob), 403, "AccessDenied")
            try await expect(sts.call("MakeMeRoot", as: bob), 400, "InvalidAction")
        }
    }
}
