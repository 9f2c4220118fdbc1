import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

@Suite("Principals of bucket policies")
struct PolicyPrincipalTests {
    private static let reader = "arn:aws:iam::000000000000:user/reader"

    /// Returns a policy in the form in which S3 returns it.
    private static func policy(_ statements: String...) -> String {
        #"{"Version":"2008-10-17","Statement":[\#(statements.joined(separator: ","))]}"#
    }

    private static func statement(
        _ effect: String = "Allow", _ principal: String = Self.reader, element: String = "Principal",
        action: String = "s3:GetBucketLocation"
    ) -> String {
        #"{"Effect":"\#(effect)","\#(element)":{"AWS":"\#(principal)"},"Action":"\#(action)","Resource":"arn:aws:s3:::files"}"#
    }

    /// Deletes the user "reader" and creates another with the same name and access key.
    private static func recreateReader(_ cloud: Cloud) async throws {
        try await cloud.edit { directory in
            guard var user = directory.user("reader", in: "000000000000")?.user else { return }
            directory.remove(.init(.user, user.arn))
            user.id = "AIDANEWNEWNEWNEWNEWNE"
            directory.put(.user(user))
        }
    }

    private static func readerID(_ s3: S3Sandbox) throws -> String {
        try #require(s3.cloud.directory.user("reader", in: "000000000000")).user.id
    }

    @Test("are not users who are created later under the same name", arguments: [Dialect.aws, .ceph])
    func recreated(_ dialect: Dialect) async throws {
        try await S3Sandbox.run(dialect: dialect) { s3 async throws in
            let (id, text) = (try Self.readerID(s3), Self.policy(Self.statement()))
            #expect(try await s3.send(.put, "/files?policy", document: text).status == 204)
            #expect(try await s3.send(.get, "/files?location", as: .reader).status == 200)
            #expect(try await s3.send(.get, "/files?policy").text == text)
            try await Self.recreateReader(s3.cloud)
            #expect(try await s3.send(.get, "/files?location", as: .reader).status == 403)
            let shown = try await s3.send(.get, "/files?policy").text
            #expect(shown == text.replacing(Self.reader, with: id))
            let back = try await s3.send(.put, "/files?policy", document: shown)
            #expect(back.code == "MalformedPolicy")
            #expect(back.detail("Message") == "Invalid principal in policy")
            #expect(back.detail("Detail") == "\"AWS\" : \"\(id)\"")
            #expect(try await s3.send(.put, "/files?policy", document: text).status == 204)
            #expect(try await s3.send(.get, "/files?location", as: .reader).status == 200)
        }
    }

    @Test("that are exempt from a denial are not exempt once they are created again")
    func exempt() async throws {
        try await S3Sandbox.run { s3 async throws in
            let account = #"["000000000000","\#(Self.reader)"]"#
            let denial = Self.statement("Deny", element: "NotPrincipal").replacing("\"\(Self.reader)\"", with: account)
            let text = Self.policy(Self.statement("Allow", "000000000000"), Self.statement(), denial)
            #expect(try await s3.send(.put, "/files?policy", document: text).status == 204)
            #expect(try await s3.send(.get, "/files?location", as: .reader).status == 200)
            try await Self.recreateReader(s3.cloud)
            let denied = try await s3.send(.get, "/files?location", as: .reader)
            #expect(denied.status == 403)
            #expect(denied.detail("Message")?.contains("explicit deny in a resource-based policy") == true)
        }
    }

    @Test("can be named by their identifiers")
    func identifier() async throws {
        try await S3Sandbox.run { s3 async throws in
            let text = Self.policy(Self.statement("Allow", try Self.readerID(s3)))
            #expect(try await s3.send(.put, "/files?policy", document: text).status == 204)
            #expect(try await s3.send(.get, "/files?location", as: .reader).status == 200)
            #expect(try await s3.send(.get, "/files?policy").text == text)
        }
    }

    @Test("keep access when they are renamed")
    func renamed() async throws {
        try await S3Sandbox.run { s3 async throws in
            let text = Self.policy(Self.statement())
            #expect(try await s3.send(.put, "/files?policy", document: text).status == 204)
            try await s3.cloud.edit { directory in
                guard var user = directory.user("reader", in: "000000000000")?.user else { return }
                directory.remove(.init(.user, user.arn))
                user.name = "scholar"
                directory.put(.user(user))
            }
            #expect(try await s3.send(.get, "/files?location", as: .reader).status == 200)
            #expect(try await s3.send(.get, "/files?policy").text == text.replacing("user/reader", with: "user/scholar"))
        }
    }

    @Test("match by name in policies that an earlier version stored")
    func earlierVersion() async throws {
        try await S3Sandbox.run { s3 async throws in
            let (bucket, text) = (try #require(s3.cloud.objects.bucket(named: "files")), Self.policy(Self.statement()))
            try await s3.cloud.objects.configure(bucket.id) { $0.documents[.policy] = text }
            #expect(try await s3.send(.get, "/files?location", as: .reader).status == 200)
            try await Self.recreateReader(s3.cloud)
            #expect(try await s3.send(.get, "/files?location", as: .reader).status == 200)
            #expect(try await s3.send(.get, "/files?policy").text == text)
        }
    }

    @Test("of a seed are its users and roles, and an export has the identifiers of deleted ones")
    func seeds() async throws {
        let bucket = "{name: \"files\", policy: \(Self.policy(Self.statement(), Self.statement("Allow", Self.reader + "-later"))), objects"
        let seed = S3Sandbox.seed.replacing("{name: \"files\", objects", with: bucket)
        try await withCloud(seed) { cloud async throws in
            let face = S3Face(authenticator: Authenticator(cloud: cloud), dialect: .aws, regions: nil, logger: .ofTests)
            let s3 = S3Sandbox(cloud: cloud, face: face)
            let id = try Self.readerID(s3)
            #expect(try await s3.send(.get, "/files?location", as: .reader).status == 200)
            try await Self.recreateReader(cloud)
            #expect(try await s3.send(.get, "/files?location", as: .reader).status == 403)
            let export = try await SeedExport(of: cloud)
            let exported = export.seed.serialized()
            #expect(exported.contains("\"AWS\":\"\(id)\""))
            #expect(exported.contains("\"AWS\":\"\(Self.reader)-later\""))
            #expect(!exported.contains("\"AWS\":\"\(Self.reader)\""), "\(export.leftOut)")
            #expect(export.leftOut.isEmpty, "\(export.leftOut)")
        }
    }

    @Test("cannot use the policy itself from another account", arguments: [Dialect.aws, .ceph])
    func otherAccount(_ dialect: Dialect) async throws {
        try await S3Sandbox.run(dialect: dialect) { s3 async throws in
            let text = Self.policy(Self.statement("Allow", "111111111111", action: "s3:*"))
            #expect(try await s3.send(.put, "/files?policy", document: text).status == 204)
            for (method, status) in [(HTTPRequest.Method.get, 200), (.put, 204), (.delete, 204)] {
                let body = method == .put ? Array(text.utf8) : nil
                let answer = try await s3.send(method, "/files?policy", body: body, as: .other)
                guard dialect == .aws else {
                    #expect(answer.status == status)
                    continue
                }
                #expect(answer.status == 405)
                #expect(answer.code == "MethodNotAllowed")
                #expect(answer.detail("Message") == "The specified method is not allowed against this resource.")
                #expect(answer.detail("Method") == method.rawValue)
                #expect(answer.detail("ResourceType") == "BUCKETPOLICY")
                #expect(try await s3.send(method, "/files?policy", body: body, as: .reader).code == "AccessDenied")
            }
            guard dialect == .aws else { return }
            let shown = text.replacing("\"111111111111\"", with: "\"arn:aws:iam::111111111111:root\"")
            #expect(try await s3.send(.get, "/files?policy").text == shown)
            #expect(try await s3.send(.get, "/files?location", as: .other).status == 200)
            #expect(try await s3.send(.delete, "/files?policy").status == 204)
            for method in [HTTPRequest.Method.get, .delete] {
                #expect(try await s3.send(method, "/files?policy", as: .other).code == "AccessDenied")
            }
        }
    }
}
