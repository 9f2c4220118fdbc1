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

    @Test("finds the latest again, and never keeps more than its capacity")
    func capacity() {
        let cache = AuthorizationCache(capacity: 2)
        let names = (0..<20).map { "key\($0)" }
        let texts = names.map { Self.start.replacing("AKID", with: $0) + String(repeating: "1", count: 64) }
        for (name, text) in zip(names, texts) {
            _ = outcome(request(text), cache)
            #expect(cache.entry(for: text)?.entry.accessKey == name)
            #expect(cache.entry(for: text)?.signature == String(repeating: "1", count: 64))
            #expect(texts.filter { cache.entry(for: $0) != nil }.count <= 2)
        }
    }

    @Test("keeps two entries that have the same place")
    func collisions() {
        let cache = SlotCache<Int>(capacity: 2)
        var hash = SlotHash()
        hash.combine("a")
        for value in 1...3 { cache.insert(value, hash) }
        #expect(cache.value(hash) { $0 == 3 } == 3)
        #expect(cache.value(hash) { $0 == 2 } == 2)
        #expect(cache.value(hash) { $0 == 1 } == nil)
    }

    @Test("hashes every byte", arguments: 0..<20)
    func hashes(place: Int) {
        func hash(_ text: String) -> Int {
            var hash = SlotHash()
            hash.combine(text)
            return hash.value
        }
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 20)
        bytes[place] = UInt8(ascii: "b")
        #expect(hash(String(decoding: bytes, as: UTF8.self)) != hash(String(repeating: "a", count: 20)))
        #expect(hash(String(repeating: "a", count: place)) != hash(String(repeating: "a", count: place + 1)))
    }
}
