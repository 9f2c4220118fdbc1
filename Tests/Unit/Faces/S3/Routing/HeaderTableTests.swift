import Cloud
import Federation
import Fixtures
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@testable import S3Face

@Suite("Headers that do not belong to an operation")
struct HeaderTableTests {
    /// A request of each operation that a row names. It needs no upload: headers are refused before the upload is looked for.
    private static let requests: [String: (method: HTTPRequest.Method, target: String, fields: [String: String])] = [
        "UploadPart": (.put, "/files/k?partNumber=1&uploadId=u", [:]),
        "UploadPartCopy": (.put, "/files/k?partNumber=1&uploadId=u", ["x-amz-copy-source": "files/public/hello.txt"]),
        "CompleteMultipartUpload": (.post, "/files/k?uploadId=u", [:]),
        "AbortMultipartUpload": (.delete, "/files/k?uploadId=u", [:]),
        "DeleteObject": (.delete, "/files/none", [:]),
        "DeleteObjects": (.post, "/files?delete", [:]),
        "CopyObject": (.put, "/files/k", ["x-amz-copy-source": "files/public/hello.txt"]),
        "ListObjects": (.get, "/files", [:]),
        "ListObjectsV2": (.get, "/files?list-type=2", [:]),
        "ListObjectVersions": (.get, "/files?versions", [:]),
        "ListParts": (.get, "/files/k?uploadId=u", [:]),
        "PutBucketPolicy": (.put, "/files?policy", [:]),
        "PutBucketReplication": (.put, "/files?replication", [:]),
        "PutBucketVersioning": (.put, "/files?versioning", [:]),
        "PutObjectLockConfiguration": (.put, "/files?object-lock", [:]),
    ]

    /// Returns a header that an entry of the table stands for.
    private func header(_ entry: String) -> String { entry.hasSuffix("-") ? entry + "mode" : entry }

    @Test("are refused, unimplemented or ignored as the table says", arguments: Dialect.allCases)
    func rows(_ dialect: Dialect) async throws {
        try await S3Sandbox.run(dialect: dialect) { s3 async throws in
            for row in HeaderRow.all {
                guard case .operations(let names) = row.scope else { continue }
                for name in names {
                    let request = try #require(Self.requests[name], "\(name)")
                    for header in row.headers.map(header) {
                        func send(_ fields: [String: String]) async throws -> FaceAnswer {
                            try await s3.send(request.method, request.target, request.fields.merging(fields) { $1 })
                        }
                        let answer = try await send([header: "AQIDBAUGBwgJCgsMDQ4PEA=="])
                        switch row.treatment {
                        case .refused(let refusal) where dialect == .aws:
                            #expect(answer.status == 400, "\(name) \(header)")
                            #expect(answer.code == "InvalidArgument", "\(name) \(header)")
                            #expect(answer.detail("Message") == refusal.text(for: header), "\(name) \(header)")
                            #expect(answer.detail("ArgumentName") == header, "\(name) \(header)")
                            #expect(answer.detail("ArgumentValue") == "AQIDBAUGBwgJCgsMDQ4PEA==", "\(name) \(header)")
                        case .unimplemented:
                            #expect(answer.status == 501, "\(name) \(header)")
                            #expect(answer.detail("Header") == header, "\(name) \(header)")
                        case .refused, .ignored, .withoutEffect:
                            let plain = try await send([:])
                            #expect(answer.status == plain.status, "\(name) \(header)")
                            #expect(answer.code == plain.code, "\(name) \(header)")
                        }
                    }
                }
            }
        }
    }

    @Test("are read by the operations that a part's headers belong to")
    func readers() async throws {
        try await S3Sandbox.run { s3 async throws in
            let fields = ["x-amz-meta-a": "b", "x-amz-server-side-encryption": "AES256", "x-amz-tagging": "a=b"]
            #expect(try await s3.send(.post, "/files/k?uploads", fields).status == 200)
            #expect(try await s3.put("k", "x", fields).status == 200)
            let directives = ["x-amz-copy-source": "files/k", "x-amz-metadata-directive": "REPLACE", "x-amz-tagging-directive": "REPLACE"]
            #expect(try await s3.send(.put, "/files/l", directives.merging(fields) { $1 }).status == 200)
        }
    }

    @Test("a copy source is refused by every operation that reads or deletes, and by a completion")
    func copySource() async throws {
        var targets: [(HTTPRequest.Method, String)] = [
            (.get, "/"), (.get, "/files"), (.head, "/files"), (.delete, "/files"), (.get, "/files/k"), (.head, "/files/k"),
            (.delete, "/files/k"), (.post, "/files/k?uploadId=u"),
        ]
        for row in SubResource.all where row.name != "uploadId" {
            for method in [HTTPRequest.Method.get, .delete] {
                if row.bucket?.answers[method] != nil { targets.append((method, "/files?\(row.name)")) }
                if row.object?.answers[method] != nil { targets.append((method, "/files/k?\(row.name)")) }
            }
        }
        try await S3Sandbox.run { s3 async throws in
            for (method, target) in targets {
                let answer = try await s3.send(method, target, ["x-amz-copy-source": "files/public/hello.txt"])
                #expect(answer.status == 400, "\(method) \(target)")
                if method == .head { continue }
                #expect(answer.detail("Message") == "You can only specify a copy source header for copy requests.", "\(method) \(target)")
                #expect(answer.detail("ArgumentName") == "x-amz-copy-source", "\(method) \(target)")
                #expect(answer.detail("ArgumentValue") == "files/public/hello.txt", "\(method) \(target)")
            }
            #expect(try await s3.send(.get, "/files/public/hello.txt").status == 200)
        }
    }

    @Test(
        "of features that are not here are not implemented",
        arguments: [
            "x-amz-write-offset-bytes", "x-amz-object-lock-event-hold", "x-amz-object-lock-event-hold-duration-days",
            "x-amz-object-lock-event-hold-duration-years",
        ])
    func unimplemented(_ header: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            for answer in [
                try await s3.put("k", "x", [header: "1"]), try await s3.send(.post, "/files/k?uploads", [header: "1"]),
                try await s3.send(.put, "/files/k", ["x-amz-copy-source": "files/public/hello.txt", header: "1"]),
            ] {
                #expect(answer.status == 501)
                #expect(answer.detail("Header") == header)
            }
        }
    }

    @Test("of more than 8 KiB together with the request line are refused", arguments: [0, 200])
    func section(_ excess: Int) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.get, "/files", ["x-large": String(repeating: "a", count: 7600 + 3 * excess)])
            #expect(answer.status == (excess == 0 ? 200 : 400))
            guard excess > 0 else { return }
            #expect(answer.code == "RequestHeaderSectionTooLarge")
            #expect(answer.detail("Message") == "Your request header section exceeds the maximum allowed size.")
            #expect(answer.detail("MaxSizeAllowed") == "8192")
            let query = try await s3.send(.get, "/files?prefix=\(String(repeating: "a", count: 8200))")
            #expect(query.code == "RequestHeaderSectionTooLarge")
        }
    }

    @Test("a copy source and encryption in the query of a presigned URL have no effect, unlike metadata and tags")
    func presigned() async throws {
        try await S3Sandbox.run { s3 async throws in
            let signer = try #require(S3Sandbox.Signer.root.signer(region: "us-east-1"))
            func put(_ query: String) async throws -> FaceAnswer {
                let request = SignableRequest(method: "PUT", target: "/files/to?\(query)", authority: S3Sandbox.authority)
                let target = signer.presign(request, expires: .seconds(60), at: s3.cloud.clock.now)
                return try await s3.send(.put, target, [.contentLength: "0"], [])
            }
            let answer = try await put("x-amz-copy-source=%2Ffiles%2Fpublic%2Fhello.txt&x-amz-server-side-encryption=aws%3Akms")
            #expect(answer.status == 200)
            #expect(!answer.text.contains("CopyObjectResult"))
            #expect(answer["x-amz-server-side-encryption"] == "AES256")
            #expect(try await s3.send(.get, "/files/to").body.isEmpty)
            #expect(try await put("x-amz-meta-colour=red&x-amz-tagging=a%3Db").status == 200)
            let read = try await s3.send(.head, "/files/to")
            #expect(read["x-amz-meta-colour"] == "red")
            #expect(read["x-amz-tagging-count"] == "1")
        }
    }
}
