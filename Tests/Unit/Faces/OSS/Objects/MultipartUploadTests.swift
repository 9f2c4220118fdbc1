import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import OSSFace

/// OSS API Reference, InitiateMultipartUpload, UploadPart, UploadPartCopy, CompleteMultipartUpload, AbortMultipartUpload, ListParts.
@Suite("Multipart uploads to OSS")
struct OSSMultipartUploadTests {
    private static let least = 100 << 10

    private func initiate(
        _ key: String, _ fields: KeyValuePairs<String, String> = [:], in oss: OSSSandbox
    ) async throws -> String {
        let answer = try await oss.send(.post, "/files/\(key)?uploads&encoding-type=url", fields)
        #expect(answer.status == 200)
        #expect(answer.element("Bucket") == "files")
        return try #require(answer.element("UploadId"))
    }

    private func part(_ number: Int, _ body: [UInt8], of id: String, _ key: String, in oss: OSSSandbox) async throws -> String {
        let answer = try await oss.send(.put, "/files/\(key)?partNumber=\(number)&uploadId=\(id)", body: body)
        #expect(answer.status == 200)
        #expect(answer["x-oss-hash-crc64ecma"] != nil)
        #expect(answer["Content-MD5"] != nil)
        return try #require(answer["ETag"])
    }

    private func document(_ parts: [(Int, String)]) -> String {
        "<CompleteMultipartUpload>"
            + parts.map { "<Part><PartNumber>\($0.0)</PartNumber><ETag>\($0.1)</ETag></Part>" }.joined() + "</CompleteMultipartUpload>"
    }

    @Test("become one object, with the CRC of the whole")
    func completes() async throws {
        try await OSSSandbox.run { oss async throws in
            let id = try await initiate("big", ["x-oss-meta-a": "1", "x-oss-storage-class": "IA"], in: oss)
            let first = [UInt8](repeating: 1, count: Self.least)
            let one = try await part(1, first, of: id, "big", in: oss)
            let two = try await part(3, [2, 3], of: id, "big", in: oss)
            let answer = try await oss.send(
                .post, "/files/big?uploadId=\(id)", ["x-oss-object-acl": "public-read"],
                document: document([(1, one.lowercased()), (3, String(two.dropFirst().dropLast()))]))
            #expect(answer.status == 200)
            #expect(answer["Content-Type"] == "application/xml")
            #expect(answer.element("Key") == "big")
            #expect(answer.element("ETag")?.hasSuffix("-2\"") == true)
            let got = try await oss.send(.get, "/files/big", as: .nobody)
            #expect(got.body == first + [2, 3])
            #expect(got["x-oss-object-type"] == "Multipart")
            #expect(got["x-oss-meta-a"] == "1")
            #expect(got["Content-MD5"] == nil)
            #expect(got["x-oss-storage-class"] == "IA")
            #expect(got["Content-Type"] == "application/octet-stream")
            var check = CRC64XZ()
            got.body.withUnsafeBytes { check.update($0) }
            #expect(got["x-oss-hash-crc64ecma"] == String(check.value))
            #expect(answer["x-oss-hash-crc64ecma"] == String(check.value))
            let again = try await oss.send(.post, "/files/big?uploadId=\(id)", document: document([(1, one)]))
            #expect(again.status == 404)
            #expect(again.code == "NoSuchUpload")
            #expect(again["x-oss-ec"] == "0042-00000002")

            let copied = try await oss.send(.put, "/files/copy", ["x-oss-copy-source": "/files/big"])
            #expect(copied["x-oss-hash-crc64ecma"] == String(check.value))
            let copy = try await oss.send(.head, "/files/copy")
            #expect(copy["x-oss-object-type"] == "Normal")
            #expect(copy["ETag"]?.contains("-") == false)
        }
    }

    @Test("are completed with every part if the client requests it")
    func completeAll() async throws {
        try await OSSSandbox.run { oss async throws in
            let id = try await initiate("big", in: oss)
            _ = try await part(2, [2], of: id, "big", in: oss)
            _ = try await part(1, [UInt8](repeating: 1, count: Self.least), of: id, "big", in: oss)
            let both = try await oss.send(
                .post, "/files/big?uploadId=\(id)", ["x-oss-complete-all": "yes"], document: document([(1, "x")]))
            #expect(both.code == "InvalidArgument")
            let answer = try await oss.send(
                .post, "/files/big?uploadId=\(id)", ["x-oss-complete-all": "yes", "x-oss-forbid-overwrite": "true"])
            #expect(answer.status == 200)
            #expect(try await oss.send(.head, "/files/big")["Content-Length"] == String(Self.least + 1))
        }
    }

    @Test("are refused with parts that are missing, out of order or too small")
    func refusals() async throws {
        try await OSSSandbox.run { oss async throws in
            let id = try await initiate("big", in: oss)
            let one = try await part(1, [1], of: id, "big", in: oss)
            let two = try await part(2, [2], of: id, "big", in: oss)
            for (parts, code) in [
                ([(2, two), (1, one)], "InvalidPartOrder"), ([(1, two)], "InvalidPart"), ([(3, one)], "InvalidPart"),
                ([], "MalformedXML"), ([(0, one)], "MalformedXML"), ([(1, one), (2, two)], "EntityTooSmall"),
            ] {
                let answer = try await oss.send(.post, "/files/big?uploadId=\(id)", document: document(parts))
                #expect(answer.status == 400)
                #expect(answer.code == code)
                if code == "EntityTooSmall" { #expect(answer.element("MinSizeAllowed") == "102400") }
            }
            for number in ["0", "10001", "x"] {
                let answer = try await oss.send(.put, "/files/big?partNumber=\(number)&uploadId=\(id)", body: [1])
                #expect(answer.status == 400)
                #expect(answer.code == "InvalidArgument")
            }
            #expect(try await oss.send(.put, "/files/big?partNumber=1&uploadId=none", body: [1]).code == "NoSuchUpload")
            let digest = try await oss.send(
                .put, "/files/big?partNumber=1&uploadId=\(id)", ["Content-MD5": "XrY7u+Ae7tCTyyK7j1rNww=="], body: [1])
            #expect(digest.code == "InvalidDigest")
            let single = try await oss.send(.post, "/files/big?uploadId=\(id)", document: document([(1, one)]))
            #expect(single.status == 200)
        }
    }

    @Test("are listed, and removed when they are aborted")
    func parts() async throws {
        try await OSSSandbox.run { oss async throws in
            let id = try await initiate(
                "a%01b",
                [
                    "x-oss-meta-client-side-encryption-key": "k", "x-oss-meta-client-side-encryption-start": "s",
                    "x-oss-meta-client-side-encryption-part-size": "9",
                ], in: oss)
            let tags = [
                try await part(1, [1], of: id, "a%01b", in: oss), try await part(2, [2], of: id, "a%01b", in: oss),
            ]
            let answer = try await oss.send(.get, "/files/a%01b?uploadId=\(id)&encoding-type=url")
            #expect(answer.element("Key") == "a%01b")
            #expect(answer.element("EncodingType") == "url")
            #expect(answer.element("NextPartNumberMarker") == "2")
            #expect(answer.element("MaxParts") == "1000")
            #expect(answer.element("IsTruncated") == "false")
            #expect(answer.element("StorageClass") == "Standard")
            #expect(answer.element("ClientEncryptionKey") == "k")
            #expect(answer.element("ClientEncryptionPartSize") == "9")
            let parts = try answer.xml.children(named: "Part")
            #expect(parts.map { $0.child("ETag")?.text } == tags)
            #expect(parts.map { $0.child("Size")?.text } == ["1", "1"])
            #expect(parts.allSatisfy { $0.child("HashCrc64ecma") != nil })
            let page = try await oss.send(.get, "/files/a%01b?uploadId=\(id)&encoding-type=url&max-parts=1&part-number-marker=1")
            #expect(page.element("Part", "PartNumber") == "2")
            #expect(page.element("PartNumberMarker") == "1")
            #expect(try await oss.send(.get, "/files/a%01b?uploadId=\(id)&max-parts=1001").code == "InvalidArgument")
            #expect(try await oss.send(.delete, "/files/a%01b?uploadId=\(id)").status == 204)
            #expect(try await oss.send(.get, "/files/a%01b?uploadId=\(id)").code == "NoSuchUpload")
            #expect(try await oss.send(.delete, "/files/a%01b?uploadId=\(id)").code == "NoSuchUpload")
        }
    }

    @Test("are encrypted as their initiation says, and refuse encryption headers elsewhere")
    func encryption() async throws {
        try await OSSSandbox.run { oss async throws in
            let kms: KeyValuePairs = ["x-oss-server-side-encryption": "KMS", "x-oss-server-side-data-encryption": "SM4"]
            let begun = try await oss.send(.post, "/files/big?uploads", kms)
            let id = try #require(begun.element("UploadId"))
            let key = try #require(begun["x-oss-server-side-encryption-key-id"])
            let target = "/files/big?partNumber=1&uploadId=\(id)"
            #expect(try await oss.send(.put, target, kms, body: [1]).code == "InvalidArgument")
            let part = try await oss.send(.put, target, body: [1])
            #expect(part["x-oss-server-side-encryption-key-id"] == key)
            #expect(part["x-oss-server-side-data-encryption"] == "SM4")
            let parts = document([(1, try #require(part["ETag"]))])
            let refused = try await oss.send(.post, "/files/big?uploadId=\(id)", kms, document: parts)
            #expect(refused.status == 400)
            #expect(refused.code == "InvalidArgument")
            let completed = try await oss.send(.post, "/files/big?uploadId=\(id)", document: parts)
            #expect(completed.status == 200)
            #expect(completed["x-oss-server-side-encryption-key-id"] == key)
        }
    }

    @Test("accept ranges of other objects as parts")
    func copies() async throws {
        try await OSSSandbox.run { oss async throws in
            let id = try await initiate("big", in: oss)
            let ranges: [(String?, String)] = [
                ("bytes=2-4", "3"), ("bytes=7-", "3"), ("bytes=2-40", "10"), ("bytes=10-", "10"), (nil, "10"),
            ]
            for (range, size) in ranges {
                let target = "/files/big?partNumber=1&uploadId=\(id)"
                let answer =
                    if let range {
                        try await oss.send(
                            .put, target, ["x-oss-copy-source": "/files/public/hello.txt", "x-oss-copy-source-range": range])
                    } else {
                        try await oss.send(.put, target, ["x-oss-copy-source": "/files/public/hello.txt"])
                    }
                #expect(answer.status == 200)
                #expect(answer.element("ETag") == answer["ETag"])
                #expect(try await oss.send(.get, "/files/big?uploadId=\(id)").element("Part", "Size") == size)
            }
        }
    }
}
