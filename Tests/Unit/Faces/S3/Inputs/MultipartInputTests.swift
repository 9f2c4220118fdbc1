import Cloud
import HTTPTypes
import ObjectStore
import Testing

@testable import S3Face

@Suite("Inputs of uploads in parts")
struct MultipartInputTests {
    @Test("UploadPart")
    func part() throws {
        #expect(UploadInput(try s3Fields("uploadId=u")).uploadID == "u")
        let asked = try UploadPartInput(try s3Fields("uploadId=u&partNumber=10000"))
        #expect(asked.uploadID == "u")
        #expect(asked.number == 10_000)
        #expect(try asked.customerKey.get() == nil)
        for query in ["", "partNumber=0", "partNumber=10001", "partNumber=x"] {
            #expect(refusal(UploadPartInput.self, try s3Fields(query)) == .invalidArgument, "\(query)")
        }
        // A wrong key is reported after the upload is found.
        let keyed = try UploadPartInput(try s3Fields("partNumber=1", [.customerAlgorithm: "x"]))
        #expect(throws: S3Error.self) { try keyed.customerKey.get() }
    }

    @Test("UploadPartCopy")
    func copy() throws {
        let asked = try UploadPartCopyInput(
            try s3Fields("uploadId=u&partNumber=1", [.copySource: "/bucket/key", .copySourceRange: "bytes=2-9"]))
        #expect(asked.source.bucket == "bucket")
        #expect(asked.source.key == "key")
        #expect(try asked.range?.get() == UploadPartCopyInput.Range(first: 2, last: 9, text: "bytes=2-9"))
        #expect(try UploadPartCopyInput(try s3Fields("partNumber=1", [.copySource: "/bucket/key"])).range == nil)
        for range in ["bytes=2-", "bytes=-2", "2-9", ""] {
            let wrong = try UploadPartCopyInput(try s3Fields("partNumber=1", [.copySource: "box/k", .copySourceRange: range]))
            #expect(throws: S3Error.self, "\(range)") { try wrong.range?.get() }
        }
        #expect(refusal(UploadPartCopyInput.self, try s3Fields("partNumber=1", [.copySource: "x"])) != nil)
        #expect(refusal(UploadPartCopyInput.self, try s3Fields("", [.copySource: "box/k"])) == .invalidArgument)
    }

    @Test("CompleteMultipartUpload")
    func completion() throws {
        let checksum = try #require(HTTPField.Name("x-amz-checksum-crc32"))
        let asked = try CompleteMultipartUploadInput(
            try s3Fields(
                "uploadId=u",
                [.ifNoneMatch: "*", .checksumType: "full_object", checksum: "AAAAAA==", .multipartObjectSize: "12"]))
        #expect(asked.uploadID == "u")
        #expect(asked.condition == .ifNoneMatchAny)
        #expect(asked.checksumType == "FULL_OBJECT")
        #expect(asked.checksums.map(\.algorithm) == [.crc32])
        #expect(asked.checksums.map(\.text) == ["AAAAAA=="])
        #expect(try asked.objectSize?.get() == 12)
        #expect(try CompleteMultipartUploadInput(try s3Fields()).objectSize == nil)
        for size in ["-1", "x"] {
            let wrong = try CompleteMultipartUploadInput(try s3Fields("", [.multipartObjectSize: size]))
            #expect(throws: S3Error.self) { try wrong.objectSize?.get() }
        }
        #expect(refusal(CompleteMultipartUploadInput.self, try s3Fields("", [.ifMatch: "*"])) == .notImplemented)
    }

    @Test("CreateMultipartUpload")
    func creation() throws {
        let asked = CreateMultipartUploadInput(try s3Fields("uploads", [.checksumAlgorithm: "CRC32", .checksumType: "COMPOSITE"]))
        #expect(try asked.checksum.get()?.algorithm == .crc32)
        #expect(try asked.checksum.get()?.coverage == .composite)
        #expect(try CreateMultipartUploadInput(try s3Fields()).checksum.get() == nil)
        let wrong = CreateMultipartUploadInput(try s3Fields("", [.checksumType: "COMPOSITE"]))
        #expect(throws: S3Error.self) { try wrong.checksum.get() }
    }
}
