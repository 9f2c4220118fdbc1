import HTTPTypes
import Testing
import WireFormats

@testable import RequestSigning

@Suite("The cache of Authorization headers")
struct AuthorizationCacheTests {
    private static let date = "20261121T120000Z"
    private static let start =
        "AWS4-HMAC-SHA256 Credential=AKID/20261121/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature="

    private func request(_ authorization: String, date: String = Self.date) -> SignableRequest {
        var request = SignableRequest(
            method: "GET", target: "/box/key", authority: "localhost", fields: [.authorization: authorization])
        request.fields.set("X-Amz-Date", date)
        return request
    }

    private func outcome(_ request: SignableRequest, _ cache: AuthorizationCache?) -> Result<SignatureV4.Presented?, SigningError> {
        do throws(SigningError) { return .success(try SignatureV4.Presented(request, known: cache)) } catch { return .failure(error) }
    }

    @Test(
        "does not change their meaning, at first and later",
        arguments: [
            start + String(repeating: "a", count: 64), start + String(repeating: "b", count: 64), start + String(repeating: "c", count: 63),
            start + String(repeating: "d", count: 65), start + String(repeating: "e", count: 62) + ", ",
            start + String(repeating: "f", count: 50) + ",SignedHeader",
            start + String(repeating: "f", count: 50) + ",Credential=x ", start + "",
            "AWS4-HMAC-SHA256 " + String(repeating: "a", count: 64),
            start.replacing("us-east-1", with: "") + String(repeating: "a", count: 64),
            start.replacing("host;", with: "") + String(repeating: "a", count: 64),
            start.replacing("20261121", with: "20261122") + String(repeating: "a", count: 64),
            start.replacing("SHA256", with: "SHA512") + String(repeating: "a", count: 64),
        ])
    func sameMeaning(authorization: String) {
        let cache = AuthorizationCache()
        _ = outcome(request(Self.start + String(repeating: "0", count: 64)), cache)
        for date in [Self.date, "20261122T000000Z", "nonsense", Self.date] {
            let request = request(authorization, date: date)
            #expect(outcome(request, cache) == outcome(request, nil))
        }
    }

    @Test("finds them again, and drops the oldest beyond its capacity")
    func capacity() {
        let cache = AuthorizationCache(capacity: 2)
        let texts = ["a", "b", "c"].map { Self.start.replacing("AKID", with: $0) + String(repeating: "1", count: 64) }
        for text in texts { _ = outcome(request(text), cache) }
        #expect(cache.entry(for: texts[0]) == nil)
        #expect(cache.entry(for: texts[2])?.entry.accessKey == "c")
        #expect(cache.entry(for: texts[2])?.signature == String(repeating: "1", count: 64))
    }
}
