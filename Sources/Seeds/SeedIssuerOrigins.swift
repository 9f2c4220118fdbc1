import Directory
import WireFormats

struct SeedIssuerOrigins: Sendable, Decodable {
    var origins: IssuerOrigins

    private enum CodingKeys: String, CodingKey, CaseIterable { case issuer, browser, backChannel }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        func origin(_ key: CodingKeys) throws -> String? {
            guard container.contains(key) else { return nil }
            return try container.decode(key, expecting: "http:// or https:// with a host and nothing after it") { (text: String) in
                guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
                let authority = text.dropFirst(scheme.count)
                return !authority.isEmpty && !authority.contains { "/?#@ ".contains($0) }
            }
        }
        origins = try IssuerOrigins(issuer: origin(.issuer), browser: origin(.browser), backChannel: origin(.backChannel))
    }
}
