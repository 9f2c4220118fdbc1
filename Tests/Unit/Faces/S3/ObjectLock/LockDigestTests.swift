import Federation
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import S3Face

@Suite("The digest that Object Lock requires")
struct LockDigestTests {
    private static let message =
        "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock parameters"
    private static let partMessage =
        "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Part requests with Object Lock parameters"
    private static let hold = ["x-amz-object-lock-legal-hold": "OFF"]
    private static let retention = [
        "x-amz-object-lock-mode": "GOVERNANCE", "x-amz-object-lock-retain-until-date": ObjectLockTests.far,
    ]

    @Test(
        "belongs to lock headers and to a default retention",
        arguments: [[:], LockDigestTests.hold, LockDigestTests.retention],
        [nil, "<Mode>GOVERNANCE</Mode><Days>1</Days>"] as [String?])
    func objects(_ lock: [String: String], _ rule: String?) async throws {
        try await S3Sandbox.locked(rule: rule) { s3 async throws in
            let isNeeded = !lock.isEmpty || rule != nil
            let bare = try await s3.send(.put, "/files/k", lock, body: [1])
            #expect(bare.status == (isNeeded ? 400 : 200))
            #expect(bare.code == (isNeeded ? "InvalidRequest" : nil))
            if isNeeded { #expect(bare.detail("Message") == Self.message) }
            for digest in [("Content-MD5", "VaVACK0bpYmqIQ0mKcHfQQ=="), ("x-amz-checksum-crc32", "pQXfGw==")] {
                let answer = try await s3.send(.put, "/files/k", lock.merging([digest]) { $1 }, body: [1])
                #expect(answer.status == 200, "\(digest)")
            }

            let upload = try await s3.send(.post, "/files/m?uploads", lock)
            let id = try #require(try upload.xml.child("UploadId")?.text)
            let part = try await s3.send(.put, "/files/m?partNumber=1&uploadId=\(id)", body: [1])
            #expect(part.status == (isNeeded ? 400 : 200))
            if isNeeded { #expect(part.detail("Message") == Self.partMessage) }
            let digest = ["Content-MD5": "VaVACK0bpYmqIQ0mKcHfQQ=="]
            #expect(try await s3.send(.put, "/files/m?partNumber=1&uploadId=\(id)", digest, body: [1]).status == 200)
            #expect(try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "files/public/hello.txt"]).status == 200)
        }
    }

    @Test("is not required by RADOS Gateway")
    func gateway() async throws {
        try await S3Sandbox.run(dialect: .ceph) { s3 async throws in
            try await s3.setVersioning("Enabled")
            try await s3.lock()
            #expect(try await s3.send(.put, "/files/k", Self.hold, body: [1]).status == 200)
        }
    }
}
