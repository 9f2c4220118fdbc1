import Cloud
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("Errors of the mobile cloud")
struct MobileErrorTests {
    @Test("have the members of the platform's own")
    func members() async throws {
        try await MobileSandbox.run { mobile async throws in
            let answer = try await mobile.get("/mobile/platform/nothing")
            #expect(answer.status == 404 && answer.json["status"] == 404)
            #expect(answer["type"] == "http://www.w3.org/Protocols/rfc2616/rfc2616-sec10.html#sec10.4.5")
            #expect(answer["o:errorPath"] == "/mobile/platform/nothing")
            #expect(answer["o:ecid"]?.hasSuffix(", 0") == true)
            #expect(answer.errorCode == MobileErrorKind.unknownPath.code)
            #expect(answer["title"] != nil && answer["detail"] != nil)
            #expect(answer.entry.errorCode == answer.errorCode)
        }
    }

    @Test("have a code each")
    func codes() {
        #expect(Set(MobileErrorKind.allCases.map(\.code)).count == MobileErrorKind.allCases.count)
        #expect(MobileErrorKind.unknownBackend.code == "MOBILE-58026")
    }
}
