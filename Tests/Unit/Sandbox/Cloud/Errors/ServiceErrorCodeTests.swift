import HTTPTypes
import Testing

@testable import Cloud

@Suite("Error codes")
struct ServiceErrorCodeTests {
    @Test("occur once in their service, also where SelectObjectContent adds its own to those of S3")
    func rows() {
        let ofS3 = S3ErrorCode.allCases.map(\.rawValue) + SelectErrorCode.allCases.map(\.rawValue)
        #expect(Set(ofS3).count == ofS3.count)
        let ofOSS = OSSErrorCode.allCases.map(\.rawValue)
        #expect(Set(ofOSS).count == ofOSS.count)
    }

    @Test("are found by their exact text")
    func codes() {
        #expect(S3ErrorCode(rawValue: "NoSuchKey") == .noSuchKey)
        #expect(S3ErrorCode(rawValue: "nosuchkey") == nil)
        #expect(OSSErrorCode(rawValue: "SlowDown") == nil)
    }

    @Test("can be injected with the status and message of their row", arguments: S3ErrorCode.allCases)
    func injected(code: S3ErrorCode) {
        let entry = FaultCatalogue.Entry(status: code.status, message: code.message)
        #expect(FaultCatalogue.entries(of: .s3)[code.rawValue] == (code == .permanentRedirect ? nil : entry))
    }

    @Test("of OSS can be injected with the status and message of their row", arguments: OSSErrorCode.allCases)
    func injectedInOSS(code: OSSErrorCode) {
        let entry = FaultCatalogue.Entry(status: code.status, message: code.message)
        #expect(FaultCatalogue.entries(of: .oss)[code.rawValue] == (code == .notModified ? nil : entry))
    }

    @Test("are refused by rules if they are redirects", arguments: ["PermanentRedirect", "NotModified"])
    func redirects(code: String) {
        #expect(throws: FaultRuleError.unknownCode(code)) { try FaultRule.Failure(code: code).check() }
    }
}
