import Policy
import WireFormats

struct SeedBucket: Sendable, Decodable {
    var name: String
    var region: String
    /// The bucket policy as JSON text; compiled once here so that a faulty one is refused.
    var policy: String?
    var objects: [SeedObject]

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, region, policy, objects }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a bucket name of 3 to 63 characters") { (3...63).contains($0.utf8.count) }
        region = try container.decode(.region, or: "us-east-1")
        if container.contains(.policy) {
            policy = try container.decodePolicy(.resource, forKey: .policy).json.serialized()
        }
        objects = try container.decode(.objects, or: [])
    }
}

struct SeedObject: Sendable, Decodable {
    var key: String
    var body: [UInt8]
    var contentType: String?
    var metadata: [MetadataField]

    private enum CodingKeys: String, CodingKey, CaseIterable { case key, text, base64, contentType, metadata }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        key = try container.decode(.key, expecting: "an object key of 1 to 1024 bytes") { (1...1024).contains($0.utf8.count) }
        if let encoded = try container.decodeIfPresent(String.self, forKey: .base64) {
            guard let bytes = [UInt8](base64: encoded) else {
                throw DecodingError.dataCorruptedError(forKey: .base64, in: container, debugDescription: "base 64 text")
            }
            body = bytes
        } else {
            body = Array(try container.decode(String.self, forKey: .text).utf8)
        }
        contentType = try container.decodeIfPresent(String.self, forKey: .contentType)
        let fields = try container.decode(.metadata, or: [String: String]())
        metadata = fields.sorted { $0.key < $1.key }.map { MetadataField(name: $0.key, value: $0.value) }
    }
}
