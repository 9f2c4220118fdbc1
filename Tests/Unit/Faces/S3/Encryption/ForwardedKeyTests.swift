import Federation
import Fixtures
import HTTPTypes
import Logging
import Policy
import Synchronization
import Testing
import WireFormats

@testable import S3Face

@Suite("Keys of a KMS that another server has")
struct ForwardedKeyTests {
    private static let header = "x-amz-server-side-encryption"
    private static let key = "arn:aws:kms:us-east-1:000000000000:key/11111111-2222-3333-4444-555555555555"
    private static let fields = [header: "aws:kms", "\(header)-aws-kms-key-id": key]
    private static let reader = "arn:aws:iam::000000000000:user/reader"

    /// Returns the policy of the key with one statement.
    private static func policy(for principal: String, condition: String = "") throws -> AttachedPolicy {
        let text = """
            {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"\(principal)"},"Action":"kms:*","Resource":"*"\
            \(condition)}]}
            """
        return AttachedPolicy("policy of \(key)", try PolicyDocument(parsing: text, kind: .resource), isRequired: true)
    }

    private static let account = "arn:aws:iam::000000000000:root"

    /// Runs a test with a key whose policy the test sets. It records the account of each call of the KMS.
    private func run(
        _ test: (S3Sandbox, _ set: (AttachedPolicy?) -> Void, _ asked: () -> [String]) async throws -> Void
    ) async throws {
        try await S3Sandbox.run { s3 in
            let first = try Self.policy(for: Self.account)
            let state = Mutex<(policy: AttachedPolicy?, accounts: [String])>((first, []))
            let service = KeyService(
                ask: { _, account, _ in
                    state.withLock { $0.accounts.append(account) }
                    return OutboundResponse(status: 200)
                },
                find: { name, _, _ in
                    ForwardedKey(arn: name, account: "000000000000", policy: state.withLock { $0.policy })
                })
            let face = S3Face(authenticator: s3.face.authenticator, keys: service, logger: Logger(label: "test"))
            try await test(
                S3Sandbox(cloud: s3.cloud, face: face), { policy in state.withLock { $0.policy = policy } },
                { state.withLock { $0.accounts } })
        }
    }

    @Test("G40: are decided by the policy of the key and those of the caller")
    func decisions() async throws {
        try await run { s3, set, asked async throws in
            let written = try await s3.put("public/a", "x", Self.fields)
            #expect(written.status == 200)
            #expect(written.journal.decisions.last?.action == "kms:GenerateDataKey")
            #expect(asked() == ["000000000000"])
            // The account decides by its policies, and this user has none for the key.
            let refused = try await s3.send(.get, "/files/public/a", as: .reader)
            #expect(refused.status == 403)
            #expect(refused.code == "AccessDenied")
            #expect(
                refused.detail("Message")
                    == "User: \(Self.reader) is not authorized to perform: kms:Decrypt on resource: \(Self.key) "
                    + "because no identity-based policy allows the kms:Decrypt action")
            set(try Self.policy(for: Self.reader))
            #expect(try await s3.send(.get, "/files/public/a", as: .reader).status == 200)
            let own = try await s3.put("public/b", "x", Self.fields)
            #expect(own.status == 403)
            #expect(own.detail("Message")?.hasSuffix("because no resource-based policy allows the kms:GenerateDataKey action") == true)
        }
    }

    @Test("G40: have the keys of conditions that S3 sets", arguments: ["public/a", "public/b"])
    func conditions(_ key: String) async throws {
        let conditions = """
            ,"Condition":{"StringEquals":{"kms:ViaService":"s3.us-east-1.amazonaws.com","kms:CallerAccount":"000000000000",\
            "kms:EncryptionContext:aws:s3:arn":"arn:aws:s3:::files/public/a"},\
            "ForAllValues:StringEquals":{"kms:EncryptionContextKeys":["aws:s3:arn"]},"Bool":{"aws:ViaAWSService":"true"}}
            """
        try await run { s3, set, _ async throws in
            _ = try await s3.put(key, "x", Self.fields)
            set(try Self.policy(for: Self.reader, condition: conditions))
            #expect(try await s3.send(.get, "/files/\(key)", as: .reader).status == (key == "public/a" ? 200 : 403))
        }
    }
}
