package import HTTPTypes
import WireFormats

/// A request that the gateway makes itself, to find what only the service knows.
package struct OwnRequest: Sendable {
    /// The name of the service in credential scopes.
    package let service: String
    /// The HTTP method.
    package let method: String
    /// The path and the query.
    package let target: String
    /// The headers, without those of the signature.
    package let fields: HTTPFields
    /// The body.
    package let body: [UInt8]
    /// The operation, for messages.
    package let operation: String

    /// Creates a call in JSON.
    /// - Parameters:
    ///   - operation: the value of `X-Amz-Target`.
    ///   - version: the version of the protocol.
    init(_ service: String, json operation: String, version: String, _ document: JSONValue) {
        self.service = service
        self.operation = operation
        method = "POST"
        target = "/"
        fields = [.contentType: "application/x-amz-json-\(version)", .amazonTarget: operation]
        let bytes = document.serializedBytes()
        body = bytes.escapingFormSeparators ?? bytes
    }

    /// Creates a call of the Query protocol.
    init(_ service: String, form: FormFields) {
        self.service = service
        operation = form["Action"] ?? ""
        method = "POST"
        target = "/"
        fields = [.contentType: "application/x-www-form-urlencoded; charset=utf-8"]
        body = Array(form.encoded.utf8)
    }

    /// Creates a call of a REST protocol without a body.
    init(_ service: String, get target: String, operation: String) {
        self.service = service
        self.operation = operation
        self.target = target
        method = "GET"
        fields = [:]
        body = []
    }
}

/// The answer to a request of the gateway itself.
package struct OwnAnswer: Sendable {
    /// The HTTP status.
    package let status: HTTPResponse.Status
    /// The headers.
    package let fields: HTTPFields
    /// The whole body.
    package let body: [UInt8]

    /// Creates an answer.
    package init(status: HTTPResponse.Status, fields: HTTPFields = [:], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Whether the service did what the request asks for.
    var isSuccessful: Bool { status.kind == .successful }

    /// The body as JSON, whatever its type says; `null` if it is none.
    var json: JSONValue { (try? JSONValue(parsing: body, repeatedNames: .lastCounts)) ?? .null }

    /// The body as XML.
    var xml: XMLElement? { try? XMLElement(parsing: body) }

    /// The codes of the error, in each form that the protocols have.
    private var codes: [String] {
        var codes: [String] = []
        for name in ["x-amzn-errortype", "x-amzn-query-error"] {
            if let name = HTTPField.Name(name), let code = fields[name] { codes.append(code) }
        }
        if let code = json["__type"]?.stringValue { codes.append(code) }
        if let code = xml?.child("Error")?.child("Code")?.text { codes.append(code) }
        return codes
    }

    /// Whether the error means that there is nothing: neither the resource, nor what the request asks for, nor an operation for it.
    var isAbsence: Bool {
        if [404, 501].contains(status.code) { return true }
        return codes.contains { (code: String) -> Bool in
            Self.absences.contains { (mark: String) -> Bool in code.contains(mark) }
        }
    }

    /// What the codes of such errors contain.
    private static let absences = [
        "NotFound", "NonExistent", "DoesNotExist", "UnknownOperation", "InvalidAction", "InvalidAttributeName", "NotImplemented",
    ]
}
