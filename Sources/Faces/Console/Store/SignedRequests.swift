import Calls
import ControlDocuments
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
    func exchange(_ title: String, _ method: String, _ target: String, _ sent: [String: String], _ response: Response) async -> Exchange {
        let bytes = (try? await response.body.collected(upTo: Self.longestAnswer)) ?? []
        func headers(_ fields: [(String, String)]) -> [Document<HeaderMembers>] {
            fields.map { field in Document { [$0.name(field.0), $0.value(field.1)] } }
        }
        let fields = headers(sent.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        let request = Document<SentRequestMembers> {
            [
                $0.method(method), $0.target(target), $0.host(scene.visit.client.authority),
                $0.message(Document { [$0.headers(fields)] }),
            ]
        }
        let received = headers(response.headers.map { ($0.name.rawName, $0.value) })
        let body = Document<MessageBodyMembers> {
            [$0.bytes(bytes.count), $0.truncated(false), $0.text(String(decoding: bytes, as: UTF8.self))]
        }
        let answer = Document<SentResponseMembers> {
            [
                $0.status(response.isLost ? 0 : response.status.code),
                $0.message(Document { [$0.headers(received), $0.body(body)] }),
                $0.lost(response.isLost),
            ]
        }
        let id = response.headers[.amazonRequest] ?? response.headers[.ossRequest] ?? ""
        let found = await scene.visit.client.get("/journal/\(percentEncoded(id))")
        let entry = found.isSuccess ? found.document(EntryDetailMembers.self) : nil
        return Exchange(
            title: title, sent: Document { [$0.request(request), $0.response(answer), $0.number(entry?.entry.number)] },
            decisions: entry?.decisions ?? [])
    }
}

extension HTTPField.Name {
    fileprivate static let amazonRequest = HTTPField.Name(literal: "x-amz-request-id")
    fileprivate static let ossRequest = HTTPField.Name(literal: "x-oss-request-id")
}
