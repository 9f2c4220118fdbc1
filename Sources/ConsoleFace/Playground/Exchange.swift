import Calls
import WireFormats

/// A request that a walk sent, with its answer and the decisions that it caused.
struct Exchange: Sendable {
    /// What was done, such as "Read hello.txt".
    var title: String
    /// The answer of `POST /_virga/send`.
    var sent: JSONValue
    /// The decisions of the journal's entry.
    var decisions: [JSONValue] = []

    var status: Int { Int(sent["response"]?["status"]?.integerValue ?? 0) }
    var isSuccess: Bool { (200..<300).contains(status) }
    /// The number in the journal.
    var number: Int64? { sent["number"]?.integerValue }
    /// The body of the answer; empty if it is not text.
    var text: String { sent["response"]?["body"]?["text"]?.stringValue ?? "" }
    /// The body as JSON; `null` if it is something else.
    var json: JSONValue { (try? JSONValue(parsing: text)) ?? .null }
    /// The body as XML; `nil` if it is something else.
    var xml: XMLElement? { try? XMLElement(parsing: Array(text.utf8)) }

    /// The code and message of an error, from XML or JSON; `nil` for a success.
    var refusal: (code: String, message: String)? {
        if isSuccess { return nil }
        if sent["response"]?["lost"]?.boolValue == true { return ("ConnectionClosed", "The connection was closed.") }
        if let document = xml {
            let error = document.child("Error") ?? document
            if let code = error.child("Code")?.text { return (code, error.child("Message")?.text ?? "") }
        }
        let json = json
        if let error = json["error"]?.stringValue { return (error, json["error_description"]?.stringValue ?? "") }
        if let error = json["error"] { return (error["type"]?.stringValue ?? "error", error["message"]?.stringValue ?? "") }
        return ("HTTP \(status)", String(text.prefix(300)))
    }

    /// The error code, or `success`.
    var code: String { refusal?.code ?? "success" }
}

/// Sends the requests of a walk through the control API.
struct Sender: Sendable {
    let client: ControlClient

    /// Who signs a request.
    enum Signer: Sendable {
        case anonymous
        /// An ARN.
        case principal(String)
        case credentials(WalkCredentials)

        fileprivate var json: JSONValue? {
            switch self {
            case .anonymous: nil
            case .principal(let arn): .string(arn)
            case .credentials(let credentials):
                [
                    "accessKeyId": .string(credentials.accessKeyID), "secretAccessKey": .string(credentials.secretAccessKey),
                    "sessionToken": .string(credentials.sessionToken),
                ]
            }
        }
    }

    /// Sends a request.
    /// - Throws: ``ConsoleRefusal`` if it cannot be sent. An error of the service is no failure.
    func send(
        _ title: String, as signer: Signer = .anonymous, service: String? = nil, _ method: String, _ target: String,
        headers: [String: String] = [:], body: String? = nil
    ) async throws -> Exchange {
        var order: JSONObject = ["method": .string(method), "target": .string(target)]
        if let signer = signer.json { order["as"] = signer }
        if let service { order["service"] = .string(service) }
        if !headers.isEmpty {
            order["headers"] = .object(JSONObject(headers.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }))
        }
        if let body { order["body"] = .string(body) }
        let answer = await client.post("/send", .object(order))
        if let refusal = answer.refusal { throw refusal }
        var exchange = Exchange(title: title, sent: answer.json)
        if let number = exchange.number {
            exchange.decisions = await client.get("/journal/\(number)").json["decisions"]?.arrayValue ?? []
        }
        return exchange
    }

    /// Sends a form.
    func form(
        _ title: String, as signer: Signer = .anonymous, service: String? = nil, to target: String, _ fields: FormFields
    ) async throws -> Exchange {
        try await send(
            title, as: signer, service: service, "POST", target, headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: fields.encoded)
    }
}
