import Calls
import HTTPTypes
import NIOCore
import WireFormats

/// Sends requests whose bodies or responses are too long for `POST /_virga/send`: as presigned URLs, which enter this process.
struct SignedRequests {
    /// How much of a response is kept, in bytes.
    private static let longestAnswer = 64 << 10

    let scene: StoreScene

    /// Sends a request as the identity of the scene.
    /// - Parameter target: the path and query.
    func send(_ method: HTTPRequest.Method, _ target: String, headers: [String: String] = [:], body: ByteBuffer? = nil) async throws
        -> Response
    {
        // As `POST /_virga/send` refuses them: these paths are the control API's, whatever bucket was asked for.
        if target == "/_virga" || target.hasPrefix("/_virga/") || target.hasPrefix("/_virga?") {
            throw ConsoleRefusal(code: "control_target", message: "A bucket cannot have the name _virga.")
        }
        var signed = target
        if let name = scene.signingName(of: scene.cloud) {
            let signature = scene.cloud == .s3 ? "v4" : "oss-v4"
            let fields = headers.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
            let answer = await scene.visit.client.post(
                "/presign",
                [
                    "as": .string(name), "service": .string(scene.cloud.rawValue), "method": .string(method.rawValue),
                    "target": .string(target), "headers": .object(JSONObject(fields)), "signature": .string(signature),
                ])
            guard let presigned = answer.json["target"]?.stringValue else {
                throw answer.refusal ?? ConsoleRefusal(code: "not_signed", message: "The request was not signed.")
            }
            signed = presigned
        }
        var fields: HTTPFields = [:]
        for (name, value) in headers {
            guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else {
                throw ConsoleRefusal(code: "malformed_header", message: "The content type is not possible in a header.")
            }
            fields.append(HTTPField(name: name, value: value))
        }
        if let body { fields[.contentLength] = String(body.readableBytes) }
        let request = Request(
            method: method, target: signed, authority: scene.visit.client.authority, headers: fields,
            body: RequestBody(buffer: body ?? ByteBuffer()))
        return await scene.visit.client.enter(request)
    }

    /// Returns a request and its response as an exchange, with the decisions of the journal.
    func exchange(_ title: String, _ method: String, _ target: String, _ headers: [String: String], _ response: Response) async -> Exchange
    {
        let bytes = (try? await response.body.collected(upTo: Self.longestAnswer)) ?? []
        func json(_ fields: [(String, String)]) -> JSONValue { .array(fields.map { ["name": .string($0.0), "value": .string($0.1)] }) }
        let sent: JSONValue = [
            "request": [
                "method": .string(method), "target": .string(target), "host": .string(scene.visit.client.authority),
                "headers": json(headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }), "body": .null, "signature": .null,
            ],
            "response": [
                "status": .integer(response.isLost ? 0 : Int64(response.status.code)),
                "headers": json(response.headers.map { ($0.name.rawName, $0.value) }),
                "body": [
                    "bytes": .integer(Int64(bytes.count)), "truncated": false, "text": .string(String(decoding: bytes, as: UTF8.self)),
                ],
                "lost": .bool(response.isLost),
            ],
        ]
        var exchange = Exchange(title: title, sent: sent)
        let id = response.headers[.amazonRequest] ?? response.headers[.ossRequest] ?? ""
        let entry = await scene.visit.client.get("/journal/\(percentEncoded(id))")
        if let number = entry.json["number"]?.integerValue, case .object(var members) = sent {
            members["number"] = .integer(number)
            exchange.sent = .object(members)
            exchange.decisions = entry.json["decisions"]?.arrayValue ?? []
        }
        return exchange
    }
}

extension HTTPField.Name {
    fileprivate static let amazonRequest = HTTPField.Name(literal: "x-amz-request-id")
    fileprivate static let ossRequest = HTTPField.Name(literal: "x-oss-request-id")
}
