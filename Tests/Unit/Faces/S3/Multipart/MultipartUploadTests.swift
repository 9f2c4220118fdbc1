import Cloud
import Cryptography
import Federation
import Fixtures
import HTTPTypes
import ObjectServing
import ObjectStore
import Testing
import WireFormats

@testable import S3Face

@Suite("Multipart uploads")
struct MultipartUploadTests {
    /// A part of the minimum size, and a last part.
    static let parts = [[UInt8](repeating: 0x61, count: 5 << 20), Array("the rest".utf8)]

    func start(_ s3: S3Sandbox, _ key: String = "big", _ fields: [String: String] = [:]) async throws -> String {
        let answer = try await s3.send(.post, "/files/\(key)?uploads", fields)
        let result = try answer.xml
        #expect(answer.status == 200)
        #expect(result.name == "InitiateMultipartUploadResult")
        #expect(result.child("Key")?.text == key)
        return try #require(result.child("UploadId")?.text)
    }

    private func upload(
        _ s3: S3Sandbox, _ id: String, _ number: Int, _ body: [UInt8], _ fields: [String: String] = [:]
    ) async throws -> FaceAnswer {
        try await s3.send(.put, "/files/big?partNumber=\(number)&uploadId=\(id)", fields, body: body)
    }

    private func document(_ tags: [String], checksums: [String] = [], element: String = "") -> [UInt8] {
        let parts = tags.enumerated().map { index, tag in
            let checksum = checksums.isEmpty ? "" : "<\(element)>\(checksums[index])</\(element)>"
            return "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(tag)</ETag>\(checksum)</Part>"
        }
        return Array("<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
    }

    private func complete(_ s3: S3Sandbox, _ id: String, _ body: [UInt8], _ fields: [String: String] = [:]) async throws -> FaceAnswer {
        try await s3.send(.post, "/files/big?uploadId=\(id)", fields, body: body)
    }

    @Test("have OSS's CRC of the whole object if the bucket is shared with OSS")
    func checkOfOSS() async throws {
        try await S3Sandbox.run { s3 async throws in
            let bucket = try #require(s3.cloud.objects.bucket(named: "files"))
            try await s3.cloud.objects.configure(bucket.id) { configuration throws(ObjectStoreError) in
                configuration.documents[.sharedWith] = "1234567890123456"
            }
            let id = try await start(s3)
            let first = try #require(try await upload(s3, id, 1, Self.parts[0])["ETag"])
            _ = try await s3.send(.put, "/files/rest", body: Self.parts[1])
            let copied = try await s3.send(.put, "/files/big?partNumber=2&uploadId=\(id)", ["x-amz-copy-source": "/files/rest"])
            let second = try #require(try copied.xml.child("ETag")?.text)
            #expect(try await complete(s3, id, document([first, second])).status == 200)
            let head = try await s3.send(.head, "/files/big", ["x-amz-checksum-mode": "ENABLED"])
            #expect(head["x-amz-checksum-crc64nvme"] != nil)
            guard case .object(let record) = try s3.cloud.objects.head("big", in: bucket.id) else {
                Issue.record("no object")
                return
            }
            var check = CRC64XZ()
            for part in Self.parts { part.withUnsafeBytes { check.update($0) } }
            let expected = withUnsafeBytes(of: check.value.bigEndian) { Array($0) }
            #expect(record.checksums.first { $0.algorithm == .crc64xz }?.bytes == expected)
        }
    }

    @Test("become one object with the checksum of the whole")
    func completes() async throws {
        try await S3Sandbox.run { s3 async throws in
            let id = try await start(s3, "big", ["Content-Type": "text/plain", "x-amz-meta-a": "b"])
            var tags: [String] = []
            for (index, part) in Self.parts.enumerated() {
                let answer = try await upload(s3, id, index + 1, part)
                #expect(answer.status == 200)
                tags.append(try #require(answer["ETag"]))
            }
            let answer = try await complete(s3, id, document(tags))
            let result = try answer.xml
            let whole = Self.parts.flatMap { $0 }
            let expected = MD5.hash(Self.parts.flatMap { MD5.hash($0) }).hex + "-2"
            #expect(answer.status == 200)
            #expect(result.child("ETag")?.text == "\"\(expected)\"")
            #expect(result.child("Location")?.text == "http://localhost:4566/files/big")
            var crc = RunningChecksum(.crc64nvme)
            whole.withUnsafeBytes { crc.update($0) }
            #expect(result.child("ChecksumCRC64NVME")?.text == crc.finalize().base64)
            #expect(result.child("ChecksumType")?.text == "FULL_OBJECT")

            let object = try await s3.send(.get, "/files/big")
            #expect(object.body == whole)
            #expect(object["ETag"] == "\"\(expected)\"")
            #expect(object["x-amz-meta-a"] == "b")
            let part = try await s3.send(.get, "/files/big?partNumber=2")
            #expect(part.status == 206)
            #expect(part.body == Self.parts[1])
            #expect(part["x-amz-mp-parts-count"] == "2")
            #expect(part["Content-Range"] == "bytes 5242880-5242887/5242888")
            let head = try await s3.send(.head, "/files/big?partNumber=1")
            #expect(head.status == 206)
            #expect(head["Content-Length"] == "5242880")
            // The checksum of the whole does not apply to a part.
            let bare = try await s3.send(.head, "/files/big?partNumber=1", ["x-amz-checksum-mode": "ENABLED"])
            #expect(bare["x-amz-checksum-crc64nvme"] == nil)
            #expect(bare["x-amz-checksum-type"] == nil)
            let beyond = try await s3.send(.get, "/files/big?partNumber=3")
            #expect(beyond.status == 416)
            #expect(beyond.code == "InvalidPartNumber")
            #expect(beyond.detail("ActualPartCount") == "2")

            // A repeated completion gets the same response; with other parts the upload does not exist.
            let again = try await complete(s3, id, document(tags))
            #expect(again.status == 200)
            #expect(again.text == answer.text)
            #expect(try await complete(s3, id, document([tags[0]])).code == "NoSuchUpload")
            #expect(try await complete(s3, "never-issued", document(tags)).code == "NoSuchUpload")

            // A copy has no parts.
            let copy = try await s3.send(.put, "/files/copy", ["x-amz-copy-source": "files/big"]).xml
            #expect(copy.child("ETag")?.text == "\"\(MD5.hash(whole).hex)\"")
            #expect(copy.child("ChecksumCRC64NVME")?.text == crc.finalize().base64)
        }
    }

    @Test("can have a composite checksum")
    func composite() async throws {
        try await S3Sandbox.run { s3 async throws in
            let id = try await start(s3, "big", ["x-amz-checksum-algorithm": "SHA256"])
            var tags: [String] = []
            var checksums: [String] = []
            for (index, part) in Self.parts.enumerated() {
                let digest = SHA256.hash(part).base64
                let answer = try await upload(s3, id, index + 1, part, ["x-amz-checksum-sha256": digest])
                #expect(answer["x-amz-checksum-sha256"] == digest)
                tags.append(try #require(answer["ETag"]))
                checksums.append(digest)
            }
            let full = document(tags, checksums: checksums, element: "ChecksumSHA256")
            let wrong = try await complete(s3, id, full, ["x-amz-checksum-sha256": checksums[0]])
            #expect(wrong.code == "BadDigest")
            let bare = try await complete(s3, id, document(tags))
            #expect(bare.status == 400)
            #expect(bare.code == "InvalidRequest")
            #expect(
                bare.detail("Message")
                    == "The upload was created using a sha256 checksum. The complete request must include the checksum for each part. It was missing for part 1 in the request."
            )
            let swapped = try await complete(s3, id, document(tags, checksums: checksums.reversed(), element: "ChecksumSHA256"))
            #expect(swapped.code == "InvalidPart")
            #expect(swapped.detail("PartNumber") == "1")
            let other = try await complete(s3, id, document(tags), ["x-amz-checksum-type": "FULL_OBJECT"])
            #expect(
                other.detail("Message")
                    == "The upload was created using the COMPOSITE checksum mode. The complete request must use the same checksum mode."
            )
            let answer = try await complete(s3, id, document(tags, checksums: checksums, element: "ChecksumSHA256"))
            let expected = SHA256.hash(Self.parts.flatMap { SHA256.hash($0) }).base64 + "-2"
            #expect(try answer.xml.child("ChecksumSHA256")?.text == expected)
            let head = try await s3.send(.head, "/files/big", ["x-amz-checksum-mode": "ENABLED"])
            #expect(head["x-amz-checksum-sha256"] == expected)
            #expect(head["x-amz-checksum-type"] == "COMPOSITE")
            let attributes = try await s3.send(.get, "/files/big?attributes", ["x-amz-object-attributes": "Checksum"])
            #expect(try attributes.xml.child("Checksum")?.child("ChecksumSHA256")?.text == String(expected.dropLast(2)))
            let part = try await s3.send(.head, "/files/big?partNumber=2", ["x-amz-checksum-mode": "ENABLED"])
            #expect(part["x-amz-checksum-sha256"] == checksums[1])
            #expect(part["x-amz-checksum-type"] == "COMPOSITE")
        }
    }

    @Test("refuse a part with another checksum algorithm")
    func otherChecksum() async throws {
        try await S3Sandbox.run { s3 async throws in
            let id = try await start(s3, "big", ["x-amz-checksum-algorithm": "SHA256"])
            let answer = try await upload(s3, id, 1, Array("123456789".utf8), ["x-amz-checksum-crc32": "y/Q5Jg=="])
            #expect(answer.code == "InvalidRequest")
            #expect(
                answer.detail("Message")
                    == "Checksum Type mismatch occurred, expected checksum Type: sha256, actual checksum Type: crc32")
        }
    }

    /// floci-io/floci#3093, row 22, recorded with boto3; versity/versitygw#1342.
    @Test(
        "refuse a part without a checksum if theirs is composite",
        arguments: ["SHA256", "SHA1", "CRC32", "CRC32C", "SHA512"], [Dialect.aws, .ceph])
    func withoutChecksum(algorithm: String, dialect: Dialect) async throws {
        try await S3Sandbox.run(dialect: dialect) { s3 async throws in
            let id = try await start(s3, "big", ["x-amz-checksum-algorithm": algorithm, "x-amz-checksum-type": "COMPOSITE"])
            let answer = try await upload(s3, id, 1, [1])
            #expect(answer.status == (dialect == .aws ? 400 : 200))
            #expect(answer.code == (dialect == .aws ? "InvalidRequest" : nil))
            let message =
                "Checksum Type mismatch occurred, expected checksum Type: \(algorithm.lowercased()), actual checksum Type: null"
            #expect(answer.detail("Message") == (dialect == .aws ? message : nil))
        }
    }

    @Test("accept a part without a checksum if theirs covers the whole object", arguments: ["CRC32", "CRC32C", "CRC64NVME"])
    func wholeObjectChecksum(algorithm: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let id = try await start(s3, "big", ["x-amz-checksum-algorithm": algorithm, "x-amz-checksum-type": "FULL_OBJECT"])
            #expect(try await upload(s3, id, 1, [1]).status == 200)
        }
    }

    @Test(
        "refuse invalid combinations of checksum algorithm and type",
        arguments: [
            (
                ["x-amz-checksum-type": "COMPOSITE"],
                "The x-amz-checksum-type header can only be used with the x-amz-checksum-algorithm header."
            ),
            (
                ["x-amz-checksum-type": "FULL_OBJECT", "x-amz-checksum-algorithm": "SHA1"],
                "The FULL_OBJECT checksum type cannot be used with the sha1 checksum algorithm."
            ),
            (
                ["x-amz-checksum-type": "COMPOSITE", "x-amz-checksum-algorithm": "CRC64NVME"],
                "The COMPOSITE checksum type cannot be used with the crc64nvme checksum algorithm."
            ),
            (
                ["x-amz-checksum-algorithm": "TEST"],
                "Checksum algorithm provided is unsupported. Please try again with any of the valid types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256, SHA512, MD5, XXHASH64, XXHASH3, XXHASH128]"
            ),
        ])
    func combinations(_ fields: [String: String], _ message: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let answer = try await s3.send(.post, "/files/big?uploads", fields)
            #expect(answer.status == 400)
            #expect(answer.detail("Message") == message)
        }
    }

    @Test("refuse completions that do not match the uploaded parts")
    func completions() async throws {
        try await S3Sandbox.run { s3 async throws in
            let id = try await start(s3)
            let small = Array("tiny".utf8)
            for number in 1...2 { _ = try await upload(s3, id, number, small) }
            let tag = MD5.hash(small).hex
            let none = try await complete(s3, id, document([]))
            #expect(none.code == "MalformedXML")
            #expect(none.status == 400)
            #expect(try await complete(s3, id, Array("<Foo/>".utf8)).code == "MalformedXML")
            let empty = try await complete(s3, id, [])
            #expect(empty.code == "InvalidRequest")
            #expect(empty.detail("Message") == "You must specify at least one part")
            #expect(try await complete(s3, "none", []).code == "NoSuchUpload")
            let unknown = try await complete(s3, id, document([tag, tag, tag]))
            #expect(unknown.code == "InvalidPart")
            #expect(unknown.detail("PartNumber") == "3")
            #expect(unknown.detail("ETag") == tag)
            let tooSmall = try await complete(s3, id, document([tag, tag]))
            #expect(tooSmall.code == "EntityTooSmall")
            #expect(tooSmall.detail("ProposedSize") == "4")
            #expect(tooSmall.detail("MinSizeAllowed") == "5242880")
            #expect(tooSmall.detail("PartNumber") == "1")
            let order = """
                <CompleteMultipartUpload><Part><PartNumber>2</PartNumber><ETag>\(tag)</ETag></Part>\
                <Part><PartNumber>1</PartNumber><ETag>\(tag)</ETag></Part></CompleteMultipartUpload>
                """
            #expect(try await complete(s3, id, Array(order.utf8)).code == "InvalidPartOrder")
            let one = document([tag])
            let size = try await complete(s3, id, one, ["x-amz-mp-object-size": "5"])
            #expect(
                size.detail("Message")
                    == "The provided 'x-amz-mp-object-size' header value 5 does not match what was computed: 4")
            let condition = try await complete(s3, id, one, ["If-Match": "\"\(tag)\""])
            #expect(condition.status == 404)
            #expect(condition.code == "NoSuchKey")
            #expect(try await complete(s3, id, one, ["x-amz-mp-object-size": "4", "If-None-Match": "*"]).status == 200)
        }
    }

    @Test("become one object of the last one of equal part numbers")
    func equalPartNumbers() async throws {
        try await S3Sandbox.run { s3 async throws in
            let id = try await start(s3)
            let replaced = try #require(try await upload(s3, id, 1, [1])["ETag"])
            let last = try #require(try await upload(s3, id, 1, [2])["ETag"])
            let parts = [replaced, last].map { "<Part><PartNumber>1</PartNumber><ETag>\($0)</ETag></Part>" }
            let body = Array("<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
            #expect(try await complete(s3, id, body).status == 200)
            #expect(try await s3.send(.get, "/files/big").body == [2])
        }
    }

    @Test("refuse part numbers out of range and missing uploads")
    func addresses() async throws {
        try await S3Sandbox.run { s3 async throws in
            let id = try await start(s3)
            for number in [0, 10_001, -1] {
                let answer = try await upload(s3, id, number, [1])
                #expect(answer.code == "InvalidArgument")
                #expect(answer.detail("ArgumentName") == "partNumber")
            }
            #expect(try await upload(s3, "none", 1, [1]).code == "NoSuchUpload")
            #expect(try await s3.send(.delete, "/files/big?uploadId=\(id)").status == 204)
            let aborted = try await upload(s3, id, 1, [1])
            #expect(aborted.status == 404)
            #expect(aborted.detail("UploadId") == id)
            #expect(try await s3.send(.delete, "/files/big?uploadId=\(id)").code == "NoSuchUpload")
        }
    }

    @Test("are listed after a marker, which must be an upload of the marked key")
    func marker() async throws {
        try await S3Sandbox.run { s3 async throws in
            let (first, second) = (try await start(s3, "a"), try await start(s3, "b"))
            let page = try await s3.send(.get, "/files?uploads&key-marker=a&upload-id-marker=\(first)").xml
            #expect(page.children(named: "Upload").compactMap { $0.child("UploadId")?.text } == [second])
            let wrong = try await s3.send(.get, "/files?uploads&key-marker=a&upload-id-marker=\(second)")
            #expect(wrong.status == 400)
            #expect(wrong.code == "InvalidArgument")
            #expect(wrong.detail("Message") == "Invalid uploadId marker")
            #expect(wrong.detail("ArgumentName") == "upload-id-marker")
            #expect(wrong.detail("ArgumentValue") == second)
        }
    }

    @Test("are listed with the encoding after the limit (versity/versitygw#2156)")
    func listedMembers() async throws {
        try await S3Sandbox.run { s3 async throws in
            let list = try await s3.send(.get, "/files?uploads&encoding-type=url")
            #expect(list.text.contains("<MaxUploads>1000</MaxUploads><EncodingType>url</EncodingType><IsTruncated>"))
        }
    }

    @Test("return a wrong digest of a part or document as it was sent, and of an object in hexadecimal")
    func digests() async throws {
        try await S3Sandbox.run { s3 async throws in
            let id = try await start(s3)
            let fields = ["Content-MD5": MD5.hash("another").base64]
            let part = try await s3.send(.put, "/files/big?partNumber=1&uploadId=\(id)", fields, body: [1])
            #expect(part.code == "BadDigest")
            #expect(part.detail("ExpectedDigest") == MD5.hash("another").base64)
            let object = try await s3.put("big", "x", fields)
            #expect(object.code == "BadDigest")
            #expect(object.detail("ExpectedDigest") == MD5.hash("another").hex)
            let completion = "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>"
            let deletion = "<Delete><Object><Key>k</Key></Object></Delete>"
            for (target, document) in [("/files/big?uploadId=\(id)", completion), ("/files?delete", deletion)] {
                let answer = try await s3.send(.post, target, fields, body: Array(document.utf8))
                #expect(answer.code == "BadDigest", "\(target)")
                #expect(answer.detail("ExpectedDigest") == MD5.hash("another").base64, "\(target)")
            }
        }
    }

    @Test("are listed after a part number marker of 32 bits", arguments: ["2147483648", "x", "1.5"])
    func partMarker(_ marker: String) async throws {
        try await S3Sandbox.run { s3 async throws in
            let id = try await start(s3)
            let answer = try await s3.send(.get, "/files/big?uploadId=\(id)&part-number-marker=\(marker)")
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidArgument")
            #expect(answer.detail("Message") == "Provided part-number-marker not an integer or within integer range")
            let negative = try await s3.send(.get, "/files/big?uploadId=\(id)&part-number-marker=-1")
            #expect(negative.detail("Message") == "Argument part-number-marker must be an integer between 0 and 2147483647")
        }
    }

    @Test("are listed with their parts until they end")
    func listings() async throws {
        try await S3Sandbox.run { s3 async throws in
            let id = try await start(s3)
            _ = try await start(s3, "a/b")
            for number in [1, 2, 5] { _ = try await upload(s3, id, number, [UInt8(number)]) }
            let uploads = try await s3.send(.get, "/files?uploads&delimiter=/").xml
            #expect(uploads.name == "ListMultipartUploadsResult")
            #expect(uploads.child("IsTruncated")?.text == "false")
            #expect(uploads.children(named: "Upload").compactMap { $0.child("UploadId")?.text } == [id])
            #expect(uploads.child("CommonPrefixes")?.child("Prefix")?.text == "a/")
            #expect(uploads.child("NextKeyMarker")?.text == "big")
            #expect(uploads.child("NextUploadIdMarker")?.text == id)
            let first = try await s3.send(.get, "/files?uploads&delimiter=/&max-uploads=1").xml
            #expect(first.child("IsTruncated")?.text == "true")
            #expect(first.child("CommonPrefixes")?.child("Prefix")?.text == "a/")
            #expect(first.child("NextKeyMarker")?.text == "")
            #expect(first.child("NextUploadIdMarker")?.text == "")
            let parts = try await s3.send(.get, "/files/big?uploadId=\(id)&max-parts=2").xml
            #expect(parts.name == "ListPartsResult")
            #expect(parts.child("IsTruncated")?.text == "true")
            #expect(parts.children(named: "Part").compactMap { $0.child("PartNumber")?.text } == ["1", "2"])
            #expect(parts.child("NextPartNumberMarker")?.text == "2")
            #expect(parts.child("MaxParts")?.text == "2")
            let rest = try await s3.send(.get, "/files/big?uploadId=\(id)&part-number-marker=2").xml
            #expect(rest.children(named: "Part").compactMap { $0.child("PartNumber")?.text } == ["5"])
            #expect(try await s3.send(.get, "/files/big?uploadId=none").code == "NoSuchUpload")
        }
    }
}
