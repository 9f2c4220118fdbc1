import FoundationEssentials
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

/// Requests as botocore signs them, from `Vectors/botocore.json`, which contains how it was made.
struct BotocoreVectors: Decodable {
    struct Vector: Decodable, CustomTestStringConvertible {
        var name: String
        var service: String
        var region: String
        var isPresigned: Bool
        var sessionToken: String?
        var expires: Int
        var method: String
        var authority: String
        var unsignedTarget: String
        var unsignedHeaders: [[String]]
        var target: String
        var headers: [[String]]
        var payload: String
        var canonicalRequest: String

        var testDescription: String { name }

        /// The request with its signature.
        var signed: SignableRequest {
            SignableRequest(method: method, target: target, authority: authority, fields: Self.fields(headers))
        }

        /// The request before it was signed.
        var unsigned: SignableRequest {
            SignableRequest(method: method, target: unsignedTarget, authority: authority, fields: Self.fields(unsignedHeaders))
        }

        var path: SignatureV4.PathRule { service == "s3" ? .asReceived : .normalised }

        private static func fields(_ headers: [[String]]) -> HTTPFields {
            HTTPFields(headers.compactMap { pair in HTTPField.Name(pair[0]).map { HTTPField(name: $0, value: pair[1]) } })
        }
    }

    var accessKey: String
    var secret: String
    var timestamp: String
    var vectors: [Vector]

    static func load() throws -> BotocoreVectors {
        let file = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Vectors/botocore.json"
        return try JSONDecoder().decode(BotocoreVectors.self, from: Data(contentsOf: URL(filePath: file)))
    }
}
