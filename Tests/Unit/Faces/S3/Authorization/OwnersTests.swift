import Cloud
import Federation
import Fixtures
import HTTPTypes
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

@Suite("Owners and initiators")
struct OwnersTests {
    @Test("have display names only in Ceph's dialect", arguments: [Dialect.aws, .ceph])
    func displayNames(_ dialect: Dialect) async throws {
        try await S3Sandbox.run(newBuckets: .legacy, dialect: dialect) { s3 async throws in
            let members = dialect == .aws ? ["ID"] : ["ID", "DisplayName"]
            for (target, element) in [("/", "Owner"), ("/files", "Contents"), ("/files?versions", "Version"), ("/files?acl", "Owner")] {
                let found = try #require(try await s3.send(.get, target).xml.child(element))
                #expect((found.child("Owner") ?? found).children.map(\.name) == members, "\(target)")
            }
            let list = try #require(try await s3.send(.get, "/files?acl").xml.child("AccessControlList"))
            #expect(list.child("Grant")?.child("Grantee")?.children.map(\.name) == members)
        }
    }

    @Test("an upload names the user who initiated it")
    func initiator() async throws {
        try await S3Sandbox.run { s3 async throws in
            let user = "arn:aws:iam::000000000000:user/lister"
            let policy =
                #"{"Statement":{"Effect":"Allow","Principal":{"AWS":"\#(user)"},"Action":"s3:PutObject","Resource":"arn:aws:s3:::files/*"}}"#
            #expect(try await s3.send(.put, "/files?policy", body: Array(policy.utf8)).status == 204)
            let id = try #require(try await s3.send(.post, "/files/theirs?uploads", as: .lister).xml.child("UploadId")?.text)
            let upload = try #require(try await s3.send(.get, "/files?uploads").xml.child("Upload"))
            let parts = try await s3.send(.get, "/files/theirs?uploadId=\(id)").xml
            for shown in [upload, parts] {
                #expect(shown.child("Initiator")?.child("ID")?.text == user)
                #expect(shown.child("Initiator")?.child("DisplayName")?.text == "lister")
                #expect(shown.child("Owner")?.children.map(\.name) == ["ID"])
            }
            _ = try await s3.send(.post, "/files/ours?uploads")
            let ours = try #require(try await s3.send(.get, "/files?uploads").xml.child("Upload"))
            #expect(ours.child("Initiator")?.child("ID")?.text == ours.child("Owner")?.child("ID")?.text)
        }
    }

    @Test("buckets are listed with their ARNs, and their creation returns their location")
    func buckets() async throws {
        try await S3Sandbox.run { s3 async throws in
            let listed = try #require(try await s3.send(.get, "/").xml.child("Buckets")?.child("Bucket"))
            #expect(listed.children.map(\.name) == ["Name", "CreationDate", "BucketArn"])
            #expect(try await s3.send(.put, "/first-one")["Location"] == "/first-one")
            let document = "<CreateBucketConfiguration><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>"
            let elsewhere = try await s3.send(.put, "/second-one", body: Array(document.utf8))
            #expect(elsewhere.status == 200)
            #expect(elsewhere["Location"] == "http://second-one.s3.amazonaws.com/")
        }
    }

    @Test("the ACL of a delete marker cannot be read or set")
    func deleteMarker() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            try await s3.setVersioning("Enabled")
            let marker = try #require(try await s3.send(.delete, "/files/public/hello.txt")["x-amz-version-id"])
            let read = try await s3.send(.get, "/files/public/hello.txt?acl")
            #expect(read.status == 404)
            #expect(read.code == "NoSuchKey")
            #expect(read["x-amz-delete-marker"] == "true")
            let named = try await s3.send(.get, "/files/public/hello.txt?acl&versionId=\(marker)")
            #expect(named.status == 405)
            #expect(named.code == "MethodNotAllowed")
            let put = try await s3.send(.put, "/files/public/hello.txt?acl", ["x-amz-acl": "public-read"])
            #expect(put.status == 405)
            #expect(put.code == "MethodNotAllowed")
        }
    }

    @Test("are not returned to anonymous callers")
    func anonymous() async throws {
        try await S3Sandbox.run(newBuckets: .legacy) { s3 async throws in
            #expect(try await s3.send(.put, "/files?acl", ["x-amz-acl": "public-read"]).status == 200)
            for (target, element) in [
                ("/files", "Contents"), ("/files?list-type=2&fetch-owner=true", "Contents"), ("/files?versions", "Version"),
            ] {
                #expect(try await s3.send(.get, target).xml.child(element)?.child("Owner") != nil, "\(target)")
                let answer = try await s3.send(.get, target, as: .nobody)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(try answer.xml.child(element)?.child("Owner") == nil, "\(target)")
            }
        }
    }
}
