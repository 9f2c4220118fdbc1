import Calls
import ControlDocuments
import WireFormats

/// Sends requests of the console through `POST /_virga/send`, as an identity that the user chose.
struct Sender: Sendable {
    let client: ControlClient
    /// Whether the journal has the requests. The console's own reads would hide what the user did.
    var isRecorded = true
    /// The trace of the requests; `nil` if they belong to none.
    var trace: WalkTrace?

    /// Who signs a request.
    enum Signer: Sendable {
        case anonymous
        /// An ARN.
        case principal(String)
        case credentials(WalkCredentials)
        case bearer(String)
        case basic(username: String, password: String)

        fileprivate var json: JSONValue? {
            switch self {
            case .anonymous: nil
            case .principal(let arn): .string(arn)
            case .bearer(let token): ["bearer": .string(token)]
            case .basic(let username, let password): ["basic": ["username": .string(username), "password": .string(password)]]
            case .credentials(let credentials) where credentials.sessionToken.isEmpty:
                ["accessKeyId": .string(credentials.accessKeyID), "secretAccessKey": .string(credentials.secretAccessKey)]
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
        _ title: String, as signer: Signer = .anonymous, service: String? = nil, signature: String? = nil, region: String? = nil,
        _ method: String, _ target: String, headers: [String: String] = [:], body: String? = nil
    ) async throws -> Exchange {
        var order: JSONObject = ["method": .string(method), "target": .string(target)]
        if let signer = signer.json { order["as"] = signer }
        if let service { order["service"] = .string(service) }
        if !isRecorded { order["record"] = false }
        if let region { order["region"] = .string(region) }
        if let signature { order["signature"] = .string(signature) }
        var headers = headers
        if let (name, value) = trace?.header { headers[name] = value }
        if !headers.isEmpty {
            order["headers"] = .object(JSONObject(headers.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }))
        }
        if let body { order["body"] = .string(body) }
        let answer = await client.post("/send", .object(order))
        if let refusal = answer.refusal { throw refusal }
        var exchange = Exchange(title: title, sent: answer.document())
        if let number = exchange.number {
            exchange.decisions = await client.get("/journal/\(number)").document(EntryDetailMembers.self).decisions
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
