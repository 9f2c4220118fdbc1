import Calls
import ControlDocuments
import HTTPTypes
import NIOCore
import WireFormats

/// Calls the control API of this process. Every button of the console is such a call, which a test can make as well.
struct ControlClient: Sendable {
    /// The longest response that is read, in bytes.
    private static let longestAnswer = 8 << 20

    let enter: ConsoleFace.Enter
    /// The `host[:port]` that the calls address.
    let authority: String
    /// The bearer token; `nil` for none.
    let token: String?

    /// Calls `GET /_virga<path>`.
    func get(_ path: String, _ query: FormFields = [:]) async -> ControlAnswer {
        await call(.get, query.fields.isEmpty ? path : "\(path)?\(query.encoded)", nil)
    }

    /// Calls `POST /_virga<path>`.
    func post(_ path: String, _ body: JSONValue = [:]) async -> ControlAnswer { await call(.post, path, body) }

    /// Calls `/_virga<path>` with a text, such as a file.
    func sendText(_ method: HTTPRequest.Method, _ path: String, _ text: String, _ contentType: String) async -> ControlAnswer {
        await call(method, path, type: contentType, content: ByteBuffer(string: text))
    }

    /// Calls `/_virga<path>` with any method.
    func call(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue?) async -> ControlAnswer {
        guard let body else { return await call(method, path, content: ByteBuffer()) }
        return await call(method, path, type: "application/json", content: ByteBuffer(bytes: body.serializedBytes()))
    }

    private func call(_ method: HTTPRequest.Method, _ path: String, type: String? = nil, content: ByteBuffer) async -> ControlAnswer {
        var headers: HTTPFields = [:]
        if let token { headers[.authorization] = "Bearer \(token)" }
        headers[.contentType] = type
        let request = Request(
            method: method, target: "/_virga\(path)", authority: authority, headers: headers, body: RequestBody(buffer: content))
        let response = await enter(request)
        let bytes = (try? await response.body.collected(upTo: Self.longestAnswer)) ?? []
        return ControlAnswer(status: response.status.code, bytes: bytes)
    }
}

/// The response to a call of the control API.
struct ControlAnswer: Sendable {
    let status: Int
    /// The document; `null` if the body is not JSON.
    let json: JSONValue
    let text: String

    init(status: Int, bytes: [UInt8]) {
        self.status = status
        text = String(decoding: bytes, as: UTF8.self)
        json = (try? JSONValue(parsing: bytes)) ?? .null
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// Returns the document of a success. The members of an error's are blank.
    func document<Members: DocumentMembers>(_: Members.Type = Members.self) -> Document<Members> { Document(json.objectValue ?? [:]) }

    /// The token or the SAML response that `POST /tokens` issued; `nil` for neither.
    var issued: String? {
        let texts = [document(IssuedTokenMembers.self).token, document(IssuedAssertionMembers.self).response]
        return texts.first { !$0.isEmpty }
    }

    /// The error; `nil` for a success.
    var refusal: ConsoleRefusal? {
        if isSuccess { return nil }
        return ConsoleRefusal(
            code: json["error"]?.stringValue ?? "status_\(status)",
            message: json["message"]?.stringValue ?? "The control API answered with the status \(status).")
    }
}

/// An error that a page shows.
struct ConsoleRefusal: Error, Equatable {
    var code: String
    var message: String
    var status: HTTPResponse.Status = .badRequest
}
