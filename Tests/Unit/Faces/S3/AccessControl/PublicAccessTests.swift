import Cloud
import Federation
import Fixtures
import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

@Suite("Public access")
struct PublicAccessTests {
    private static let publicPolicy = """
        {"Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::files/*"}]}
        """

    private func block(_ members: String...) -> [UInt8] {
        let elements = members.map { "<\($0)>true</\($0)>" }.joined()
        return Array("<PublicAccessBlockConfiguration>\(elements)</PublicAccessBlockConfiguration>".utf8)
    }

    @Test("is blocked for a new bucket, and the block can be put, read and deleted")
    func configuration() async throws {
        try await S3Sandbox.run { s3 async throws in
            let present = try await s3.send(.get, "/files?publicAccessBlock").xml.children
            #expect(present.map(\.name) == ["BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets"])
            #expect(present.allSatisfy { $0.text == "true" })
            #expect(try await s3.send(.put, "/files?publicAccessBlock", body: block("BlockPublicPolicy")).status == 200)
            let changed = try await s3.send(.get, "/files?publicAccessBlock").xml.children.map(\.text)
            #expect(changed == ["false", "false", "true", "false"])
            #expect(try await s3.send(.put, "/files?publicAccessBlock", body: block("BlockAll")).code == "MalformedXML")
            #expect(try await s3.send(.put, "/files?publicAccessBlock", body: block()).code == "InvalidRequest")
            #expect(try await s3.send(.delete, "/files?publicAccessBlock").status == 204)
            let none = try await s3.send(.get, "/files?publicAccessBlock")
            #expect(none.status == 404)
            #expect(none.code == "NoSuchPublicAccessBlockConfiguration")
        }
    }

    @Test("by policy is refused, with the setting that blocks it")
    func blockedPolicy() async throws {
        try await S3Sandbox.run { s3 async throws in
            let refused = try await s3.send(.put, "/files?policy", body: Array(Self.publicPolicy.utf8))
            #expect(refused.status == 403)
            #expect(refused.code == "AccessDenied")
            #expect(
                refused.detail("Message")?.hasSuffix(
                    "because public policies are blocked by the BlockPublicPolicy block public access setting.") == true)
            let fixed = Self.publicPolicy.replacing(#""Principal":"*""#, with: #""Principal":{"AWS":"111111111111"}"#)
            #expect(try await s3.send(.put, "/files?policy", body: Array(fixed.utf8)).status == 204)
        }
    }

    @Test("by policy is limited to the owner's account by RestrictPublicBuckets")
    func restricted() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            #expect(try await s3.send(.put, "/files?policy", body: Array(Self.publicPolicy.utf8)).status == 204)
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .nobody).status == 200)
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .other).status == 200)
            #expect(try await s3.send(.put, "/files?publicAccessBlock", body: block("RestrictPublicBuckets")).status == 200)
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .nobody).status == 403)
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .other).status == 403)
            #expect(try await s3.send(.get, "/files/public/hello.txt", as: .lister).status == 200)
        }
    }

    @Test("by ACLs is refused or ignored")
    func lists() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            let fields = ["x-amz-acl": "public-read"]
            #expect(try await s3.send(.put, "/files?acl", fields).status == 200)
            #expect(try await s3.send(.put, "/files/x", fields, body: [1]).status == 200)
            #expect(try await s3.send(.get, "/files", as: .nobody).status == 200)
            #expect(try await s3.send(.get, "/files/x", as: .nobody).status == 200)
            #expect(try await s3.send(.put, "/files?publicAccessBlock", body: block("BlockPublicAcls", "IgnorePublicAcls")).status == 200)
            for target in ["/files?acl", "/files/x?acl", "/files/y"] {
                let refused = try await s3.send(.put, target, fields)
                #expect(refused.status == 403, "\(target)")
                #expect(refused.detail("Message")?.contains("BlockPublicAcls") == true, "\(target)")
            }
            #expect(try await s3.send(.get, "/files", as: .nobody).status == 403)
            #expect(try await s3.send(.get, "/files/x", as: .nobody).status == 403)
        }
    }

    @Test("is shown by the policy status")
    func status() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            _ = try await s3.send(.put, "/files?acl", ["x-amz-acl": "public-read"])
            let none = try await s3.send(.get, "/files?policyStatus")
            #expect(none.status == 404)
            #expect(none.code == "NoSuchBucketPolicy")
            _ = try await s3.send(.put, "/files?policy", body: Array(Self.publicPolicy.utf8))
            #expect(try await s3.send(.get, "/files?policyStatus").xml.child("IsPublic")?.text == "true")
        }
        try await S3Sandbox.run(newBuckets: .legacy, dialect: .ceph) { s3 async throws in
            func isPublic() async throws -> String? { try await s3.send(.get, "/files?policyStatus").xml.child("IsPublic")?.text }
            #expect(try await isPublic() == "false")
            _ = try await s3.send(.put, "/files?acl", ["x-amz-acl": "authenticated-read"])
            #expect(try await isPublic() == "true")
            _ = try await s3.send(.put, "/files?acl", ["x-amz-acl": "private"])
            _ = try await s3.send(.put, "/files?policy", body: Array(Self.publicPolicy.utf8))
            #expect(try await isPublic() == "true")
        }
    }
}
