import Cryptography
import Fixtures
import HTTPTypes
import Testing
import WireFormats

extension MultipartUploadTests {
    @Test("copy parts from other objects")
    func copies() async throws {
        try await S3Sandbox.run { s3 async throws in
            let id = try await start(s3, "big", ["x-amz-checksum-algorithm": "CRC32C"])
            func copy(_ range: String?) async throws -> FaceAnswer {
                var fields = ["x-amz-copy-source": "files/public/hello.txt"]
                fields["x-amz-copy-source-range"] = range
                return try await s3.send(.put, "/files/big?partNumber=1&uploadId=\(id)", fields)
            }
            let ranged = try await copy("bytes=2-4")
            #expect(try ranged.xml.name == "CopyPartResult")
            #expect(try ranged.xml.child("ETag")?.text == "\"\(MD5.hash("234").hex)\"")
            #expect(try ranged.xml.child("ChecksumCRC32C") != nil)
            #expect(try await copy(nil).xml.child("ETag")?.text == "\"\(MD5.hash("0123456789").hex)\"")
            #expect(try await copy("0-8").code == "InvalidArgument")
            #expect(try await copy("bytes=1-0").code == "InvalidArgument")
            let beyond = try await copy("bytes=0-100")
            #expect(beyond.detail("Message") == "Range specified is not valid for source object of size: 10")
            #expect(try await copy("bytes=10-20").code == "InvalidRequest")
        }
    }
}
