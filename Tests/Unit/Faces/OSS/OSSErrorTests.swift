import Testing
import WireFormats

@testable import OSSFace

@Suite("Error responses of OSS")
struct OSSErrorTests {
    @Test("are documents without a namespace, with the error code EC last")
    func document() throws {
        let error = OSSError.noSuchBucket("harbour-photos")
        let text = String(
            decoding: error.document(requestID: "65A1B2C3D4E5F60718293A4B", hostID: "oss-cn-hangzhou.aliyuncs.com"), as: UTF8.self)
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <Error><Code>NoSuchBucket</Code><Message>The specified bucket does not exist.</Message>\
                <RequestId>65A1B2C3D4E5F60718293A4B</RequestId><HostId>oss-cn-hangzhou.aliyuncs.com</HostId>\
                <BucketName>harbour-photos</BucketName><EC>0015-00000101</EC></Error>
                """)
    }
}
