import Cloud
import Directory
import Fixtures
import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

@Suite("Object ownership")
struct OwnershipTests {
    private func controls(_ ownership: String) -> [UInt8] {
        Array("<OwnershipControls><Rule><ObjectOwnership>\(ownership)</ObjectOwnership></Rule></OwnershipControls>".utf8)
    }

    private static let open = """
        {"Statement":[{"Effect":"Allow","Principal":{"AWS":"111111111111"},"Action":"s3:*",\
        "Resource":["arn:aws:s3:::files","arn:aws:s3:::files/*"]}]}
        """

    @Test("controls are put, read and deleted")
    func controls() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.get, "/files?ownershipControls").ownership == "BucketOwnerEnforced")
            #expect(try await s3.send(.put, "/files?ownershipControls", body: controls("ObjectWriter")).status == 200)
            #expect(try await s3.send(.get, "/files?ownershipControls").ownership == "ObjectWriter")
            #expect(try await s3.send(.put, "/files?ownershipControls", body: controls("Nobody")).code == "MalformedXML")
            #expect(try await s3.send(.delete, "/files?ownershipControls").status == 204)
            let none = try await s3.send(.get, "/files?ownershipControls")
            #expect(none.status == 404)
            #expect(none.code == "OwnershipControlsNotFoundError")
            #expect(none.detail("BucketName") == "files")
        }
    }

    @Test("is the bucket owner's if ACLs are disabled")
    func enforced() async throws {
        try await S3Sandbox.run { s3 async throws in
            #expect(try await s3.send(.put, "/files?policy", body: Array(Self.open.utf8)).status == 204)
            #expect(try await s3.send(.put, "/files/x", body: [1], as: .other).status == 200)
            #expect(try await s3.owner(of: "/files/x") == "000000000000")
            let full = ["x-amz-acl": "bucket-owner-full-control"]
            #expect(try await s3.send(.put, "/files/x", full, body: [1], as: .other).status == 200)
            #expect(try await s3.send(.put, "/files/x", ["x-amz-acl": "private"], body: [1]).status == 200)
            for (target, who) in [("/files/x", S3Sandbox.Signer.other), ("/files/x?acl", .root), ("/files?acl", .root)] {
                let refused = try await s3.send(.put, target, ["x-amz-acl": "private"], as: who)
                #expect(refused.status == 400, "\(target)")
                #expect(refused.code == "AccessControlListNotSupported", "\(target)")
            }
            let publicObject = try await s3.send(.put, "/files/x", ["x-amz-acl": "public-read"], body: [1])
            #expect(publicObject.code == "AccessControlListNotSupported")
        }
    }

    @Test("is the writer's if ACLs are enabled, and only the writer controls the object")
    func objectWriter() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            #expect(try await s3.send(.put, "/files?policy", body: Array(Self.open.utf8)).status == 204)
            #expect(try await s3.send(.put, "/files/x", body: [1], as: .other).status == 200)
            #expect(try await s3.owner(of: "/files/x", as: .other) == "111111111111")
            #expect(try await s3.send(.get, "/files/x").status == 403)
            #expect(try await s3.send(.get, "/files/x?acl").status == 403)
            #expect(try await s3.send(.get, "/files/x", as: .other).status == 200)
            _ = try await s3.send(.put, "/files/x?acl", ["x-amz-acl": "bucket-owner-read"], as: .other)
            #expect(try await s3.send(.get, "/files/x").status == 200)
            // With ACLs disabled, objects of other writers belong to the bucket owner.
            #expect(try await s3.send(.put, "/files/y", body: [1], as: .other).status == 200)
            #expect(try await s3.send(.put, "/files?ownershipControls", body: controls("BucketOwnerEnforced")).status == 200)
            #expect(try await s3.send(.get, "/files/y").status == 200)
            #expect(try await s3.owner(of: "/files/y") == "000000000000")
            #expect(try await s3.send(.delete, "/files/x").status == 204)
        }
    }

    @Test("passes to the bucket owner with bucket-owner-full-control if BucketOwnerPreferred is set")
    func preferred() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            #expect(try await s3.send(.put, "/files?policy", body: Array(Self.open.utf8)).status == 204)
            #expect(try await s3.send(.put, "/files?ownershipControls", body: controls("BucketOwnerPreferred")).status == 200)
            _ = try await s3.send(.put, "/files/mine", body: [1], as: .other)
            _ = try await s3.send(.put, "/files/yours", ["x-amz-acl": "bucket-owner-full-control"], body: [1], as: .other)
            #expect(try await s3.owner(of: "/files/mine", as: .other) == "111111111111")
            #expect(try await s3.owner(of: "/files/yours") == "000000000000")
        }
    }

    @Test("cannot be enforced while the bucket's ACL grants access to others")
    func refusal() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            _ = try await s3.send(.put, "/files?acl", ["x-amz-acl": "public-read"])
            let answer = try await s3.send(.put, "/files?ownershipControls", body: controls("BucketOwnerEnforced"))
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidBucketAclWithObjectOwnership")
        }
    }

    @Test("of an anonymously written object is the anonymous account's")
    func anonymous() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            _ = try await s3.send(.put, "/files?acl", ["x-amz-acl": "public-read-write"])
            #expect(try await s3.send(.put, "/files/x", body: [1], as: .nobody).status == 200)
            #expect(try await s3.send(.get, "/files/x").status == 403)
            let owners = try await s3.send(.get, "/files").xml.children(named: "Contents").map { $0.child("Owner")?.child("ID")?.text }
            #expect(owners.contains("65a011a29cdf8ec533ec3d1ccaae921c"))
        }
    }
}

extension FaceAnswer {
    fileprivate var ownership: String? { try? xml.child("Rule")?.child("ObjectOwnership")?.text }
}

extension S3Sandbox {
    /// The owner of an object in its ACL.
    fileprivate func owner(of target: String, as who: Signer = .root) async throws -> String? {
        let id = try await send(.get, "\(target)?acl", as: who).xml.child("Owner")?.child("ID")?.text
        return id.flatMap { cloud.directory.account(ofCanonicalUser: $0)?.id }
    }
}
