import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import RequestSigning
import WireFormats

extension AppServerCall {
    /// The maximum size of a request body in bytes: a string to sign with the longest key and headers.
    private static let signingLimit = 64 << 10

    /// `/sign`, the self-signed mode: receives a string to sign and returns the value of the Authorization header.
    /// (OSS SDK for iOS, `OSSCustomSignerCredentialProvider`; OSS SDK for Swift, `RemoteSignerV1` and `RemoteSignerV4`.)
    func sign() async throws -> Response {
        guard let key = server.signingKey else { throw AppServerFailure.internalError }
        let bytes: [UInt8]
        do {
            bytes = try await http.collectBody(upTo: Self.signingLimit)
        } catch is BodyTooLarge {
            throw AppServerFailure("RequestEntityTooLarge", .contentTooLarge, "The content is too long.")
        }
        let type = (http.headers[.contentType] ?? "").prefix { $0 != ";" && $0 != "," }.lowercased().filter { $0 != " " }
        try await enter(.signing, as: nil)
        switch type {
        case "application/json":
            guard let json = (try? JSONValue(parsing: bytes))?.objectValue else {
                throw AppServerFailure.malformed("The content must be a JSON object.")
            }
            return try sign(json, key)
        case "application/x-www-form-urlencoded":
            guard let text = String(validating: bytes, as: UTF8.self), let fields = FormFields(parsing: text),
                let content = fields.first("content")
            else { throw AppServerFailure.malformed("The form needs the field content.") }
            return .json(.object(document(of: Array(content.utf8), key)))
        default:
            // The bytes are signed unchanged: they contain line feeds, and may end without one.
            return Response(status: .ok, contentType: "text/plain; charset=utf-8", text: authorization(of: bytes, key))
        }
    }

    private func sign(_ json: JSONObject, _ key: AppServer.Key) throws(AppServerFailure) -> Response {
        guard let content = (json["stringToSign"] ?? json["content"])?.stringValue else {
            throw .malformed("The object needs the member content or stringToSign.")
        }
        switch json["version"].map({ $0.stringValue?.lowercased() ?? "" }) {
        case nil, "v1": return .json(.object(document(of: Array(content.utf8), key)))
        case "v4":
            // The scope contains only the day, while the SDK sends the time of signing.
            guard let date = json["date"]?.stringValue, let region = json["region"]?.stringValue, !region.isEmpty,
                date.utf8.prefix(8).allSatisfy({ (0x30...0x39).contains($0) }), date.utf8.count >= 8
            else { throw .malformed("Version 4 needs the members date and region.") }
            let product = json["product"]?.stringValue ?? "oss"
            let scope = CredentialScope(date: String(date.prefix(8)), region: region, service: product, scheme: .alibabaCloud)
            let signature = ScopedSigningKey(secret: key.secret, scope: scope).signature(of: Array(content.utf8))
            return .json(["signature": .string(signature), "accessKeyId": .string(key.id), "StatusCode": 200])
        default: throw .malformed("version must be v1 or v4.")
        }
    }

    private func document(of content: [UInt8], _ key: AppServer.Key) -> JSONObject {
        [
            "authorization": .string(authorization(of: content, key)), "signature": .string(signature(of: content, key)),
            "accessKeyId": .string(key.id), "StatusCode": 200,
        ]
    }

    /// Returns the whole header value, as the SDKs expect it from the app.
    private func authorization(of content: [UInt8], _ key: AppServer.Key) -> String { "OSS \(key.id):\(signature(of: content, key))" }

    private func signature(of content: [UInt8], _ key: AppServer.Key) -> String {
        hmacSHA1(key: Array(key.secret.utf8), content).base64
    }
}
