import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import MobileCloudFace

@Suite("Fault rules in the mobile cloud")
struct MobileFaultTests {
    struct Example: Sendable {
        var failure: FaultRule.Failure
        var status: Int
        var code: String
    }

    @Test(
        "return the platform's errors",
        arguments: [
            Example(failure: .init(code: "temporarily_unavailable"), status: 503, code: "MOBILE-15012"),
            Example(failure: .init(code: "ServiceUnavailable"), status: 503, code: "MOBILE-15012"),
            Example(failure: .init(code: "Teapot", status: 418, message: "short and stout"), status: 418, code: "MOBILE-15012"),
            Example(failure: .init(code: "MOBILE-58026", message: "gone"), status: 404, code: "MOBILE-58026"),
            Example(failure: .init(code: "MOBILE-58004", status: 403), status: 403, code: "MOBILE-58004"),
        ])
    func platform(_ example: Example) async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            _ = mobile.cloud.faults.add(FaultRule(service: "mobile", action: "GetUser", caller: "joe", failure: example.failure))
            let fields = HTTPFields.basic("joe:pass:word", try mobile.backend())
            let answer = try await mobile.get("/mobile/platform/users/~", fields)
            #expect(answer.status == example.status)
            #expect(answer.errorCode == example.code)
            #expect(answer.json["status"] == .integer(Int64(example.status)))
            #expect(answer.entry.errorCode == example.code)
            if let message = example.failure.message { #expect(answer["detail"] == message) }
            #expect(answer["type"]?.hasPrefix("http://www.w3.org/Protocols/rfc2616/rfc2616-sec10.html#sec10.") == true)
            #expect(try await mobile.get("/mobile/platform/users/~", fields).status == 200)
        }
    }

    @Test("return OAuth's errors at token endpoints")
    func tokens() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            _ = mobile.cloud.faults.add(FaultRule(service: "mobile", action: "Token", failure: .init(code: "ServiceUnavailable")))
            let answer = try await mobile.post("/token", ["grant_type": "client_credentials"])
            #expect(answer.status == 503)
            #expect(answer["error"] == "temporarily_unavailable")
            #expect(answer.errorCode == nil)
            #expect(answer.fields[.contentType] == "application/json;charset=UTF-8")
            _ = mobile.cloud.faults.add(FaultRule(service: "mobile", failure: .init(code: "invalid_client")))
            let client = try await mobile.post("/token", ["grant_type": "client_credentials"])
            #expect(client.status == 401)
            #expect(client.fields[.wwwAuthenticate]?.hasPrefix("Basic ") == true)
        }
    }
}
