import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

/// S3 User Guide, "How to prevent object overwrites with conditional writes" and "How to perform conditional deletes".
@Suite("The permission to read that If-Match requires")
struct ConditionalPermissionTests {
    private static let policy = """
        {"Version":"2012-10-17","Statement":[\
        {"Effect":"Allow","Principal":{"AWS":"111111111111"},"Action":["s3:PutObject","s3:DeleteObject"],"Resource":"arn:aws:s3:::files/*"},\
        {"Effect":"Allow","Principal":{"AWS":"111111111111"},"Action":"s3:GetObject","Resource":\
        ["arn:aws:s3:::files/public/*","arn:aws:s3:::files/readable"]}]}
        """

    /// Sends each conditional operation on a key that the caller may write and delete.
    private func statuses(_ key: String, _ condition: [String: String], _ dialect: Dialect) async throws -> [String: String] {
        var found: [String: String] = [:]
        try await S3Sandbox.run(dialect: dialect) { s3 async throws in
            #expect(try await s3.send(.put, "/files?policy", body: Array(Self.policy.utf8)).status == 204)
            func restore() async throws { #expect(try await s3.put(key, "x").status == 200) }
            func note(_ name: String, _ answer: FaceAnswer) { found[name] = answer.code ?? String(answer.status) }
            try await restore()
            note("put", try await s3.send(.put, "/files/\(key)", condition, body: Array("x".utf8), as: .other))
            try await restore()
            let source = condition.merging(["x-amz-copy-source": "files/public/hello.txt"]) { $1 }
            note("copy", try await s3.send(.put, "/files/\(key)", source, as: .other))
            let upload = try await s3.send(.post, "/files/\(key)?uploads", as: .other)
            let target = "/files/\(key)?uploadId=\(try #require(try upload.xml.child("UploadId")?.text))"
            let tag = try #require(try await s3.send(.put, target + "&partNumber=1", body: [1], as: .other)["ETag"])
            try await restore()
            let part = "<Part><PartNumber>1</PartNumber><ETag>\(tag)</ETag></Part>"
            let document = "<CompleteMultipartUpload>\(part)</CompleteMultipartUpload>"
            note("complete", try await s3.send(.post, target, condition, document: document, as: .other))
            try await restore()
            note("delete", try await s3.send(.delete, "/files/\(key)", condition, as: .other))
            try await restore()
            let element = condition["If-Match"].map { "<ETag>\($0)</ETag>" } ?? ""
            let objects = "<Delete><Object><Key>\(key)</Key>\(element)</Object></Delete>"
            let deleted = try await s3.send(.post, "/files?delete", document: objects, as: .other)
            found["deleteObjects"] = try deleted.xml.child("Error")?.child("Code")?.text ?? String(deleted.status)
        }
        return found
    }

    private static let allowed = ["put": "200", "copy": "200", "complete": "200", "delete": "204", "deleteObjects": "200"]
    /// The MD5 of "x".
    private static let tag = ["If-Match": "9dd4e461268c8034f5c8564e155c67a6"]

    @Test("is asked of every operation with an ETag")
    func tags() async throws {
        let denied = Self.allowed.mapValues { _ in "AccessDenied" }
        #expect(try await statuses("written", Self.tag, .aws) == denied)
        var met = Self.allowed
        // The object was replaced after the upload began.
        met["complete"] = "ConditionalRequestConflict"
        #expect(try await statuses("readable", Self.tag, .aws) == met)
    }

    @Test("is not asked without a condition, or by RADOS Gateway")
    func others() async throws {
        #expect(try await statuses("written", [:], .aws) == Self.allowed)
        #expect(try await statuses("written", Self.tag, .ceph).values.contains("AccessDenied") == false)
    }

    @Test("is not asked by a deletion of any object")
    func existence() async throws {
        let found = try await statuses("written", ["If-Match": "*"], .aws)
        #expect(found["delete"] == "204")
        #expect(found["deleteObjects"] == "200")
    }

    @Test("a deletion of a version has no condition, even with the current one")
    func version() async throws {
        try await S3Sandbox.run { s3 async throws in
            try await s3.setVersioning("Enabled")
            let put = try await s3.put("k", "x")
            let (id, tag) = (try #require(put["x-amz-version-id"]), try #require(put["ETag"]))
            for condition in [tag, "*"] {
                let answer = try await s3.send(.delete, "/files/k?versionId=\(id)", ["If-Match": condition])
                #expect(answer.status == 501)
                #expect(answer.code == "NotImplemented")
                #expect(answer.detail("Header") == "If-Match")
            }
            #expect(try await s3.send(.delete, "/files/k?versionId=\(id)").status == 204)
        }
    }
}
