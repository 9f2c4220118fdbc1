import Federation
import HTTPTypes
import WireFormats

/// The request that `POST /_virga/send` describes.
struct SendOrder {
    /// Who sends the request.
    enum Sender {
        case anonymous
        /// A principal of the sandbox: an ARN or an access key.
        case principal(String)
        case keys(SigningCredentials)
        case bearer(String)
        case basic(username: String, password: String)
    }

    /// How the request is signed.
    enum Signature: String, CaseIterable {
        case v4, v2
        case ossV1 = "oss-v1"
        case ossV2 = "oss-v2"
        case ossV4 = "oss-v4"
        case rpc, acs3, none
    }

    /// The members of a body.
    static let members = ["as", "service", "method", "target", "headers", "body", "region", "signature", "record"]
    /// The longest body in bytes.
    static let longestBody = 1 << 20
    /// Headers that describe the message and are computed.
    private static let computed: Set<String> = [
        "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade",
    ]

    var sender: Sender
    var service: String?
    var method: HTTPRequest.Method
    var target: String
    /// The host of the request, if the order has one.
    var authority: String?
    var fields: HTTPFields
    var body: [UInt8]
    var region: String?
    var signature: Signature?
    /// Whether the journal has an entry of the request. Refused requests are always recorded.
    var isRecorded: Bool

    /// Reads an order.
    /// - Throws: ``ControlError`` that names the wrong member.
    init(_ json: JSONObject) throws(ControlError) {
        try json.expect(only: Self.members)
        sender = try Self.sender(json["as"])
        service = try json.text("service")
        region = try json.text("region")
        signature = try json.choice("signature", of: Signature.allCases)
        guard let isRecorded = json["record"].map({ $0.boolValue }) ?? true else {
            throw ControlFace.malformedMember("'record' must be true or false.")
        }
        self.isRecorded = isRecorded
        let name = try json.text("method") ?? "GET"
        guard let method = HTTPRequest.Method(name), method != .connect else {
            throw ControlFace.malformedMember("'method' must be an HTTP method.")
        }
        self.method = method
        target = try Self.target(json)
        (fields, authority) = try Self.fields(json["headers"])
        body = try Self.body(json["body"])
        guard body.count <= Self.longestBody else {
            throw ControlError(.contentTooLarge, "body_too_large", "'body' may have at most \(Self.longestBody) bytes.")
        }
        if !body.isEmpty || [.put, .post, .patch].contains(method) { fields[.contentLength] = String(body.count) }
    }

    private static func target(_ json: JSONObject) throws(ControlError) -> String {
        guard let target = try json.text("target") else {
            throw ControlError(.badRequest, "missing_member", "Send {\"method\":\"GET\",\"target\":\"/bucket/key\"}.")
        }
        guard target.utf8.first == UInt8(ascii: "/"), target.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "#") }) else {
            throw ControlFace.malformedMember(
                "'target' must be a path with an optional query, percent-encoded, such as /bucket/key?versions. It cannot name a host.")
        }
        let path = target.prefix { $0 != "?" }
        guard path != "/_virga", !path.hasPrefix("/_virga/") else {
            throw ControlError(.badRequest, "control_target", "Calls of the control API cannot be sent by another one. Call it directly.")
        }
        return target
    }

    private static func sender(_ value: JSONValue?) throws(ControlError) -> Sender {
        let malformed = ControlFace.malformedMember(
            "'as' must be an ARN, an access key, anonymous, or an object with accessKeyId and secretAccessKey, with bearer, or with basic.")
        switch value {
        case nil, .null: return .anonymous
        case .string(let name): return name == "anonymous" ? .anonymous : .principal(name)
        case .object(let object):
            if object["bearer"] != nil {
                try object.expect(only: ["bearer"])
                guard let token = try object.text("bearer"), isHeaderValue(token) else { throw malformed }
                return .bearer(token)
            }
            if let basic = object["basic"] {
                try object.expect(only: ["basic"])
                guard let basic = basic.objectValue else { throw malformed }
                try basic.expect(only: ["username", "password"])
                guard let username = try basic.text("username"), let password = try basic.text("password") else { throw malformed }
                return .basic(username: username, password: password)
            }
            try object.expect(only: ["accessKeyId", "secretAccessKey", "sessionToken"])
            guard let key = try object.text("accessKeyId"), let secret = try object.text("secretAccessKey"), isHeaderValue(key) else {
                throw malformed
            }
            let token = try object.text("sessionToken")
            guard token.map(isHeaderValue) ?? true else { throw malformed }
            return .keys(SigningCredentials(accessKey: key, secret: secret, sessionToken: token))
        default: throw malformed
        }
    }

    /// Reads an object of headers, or a list of objects with `name` and `value`.
    private static func fields(_ value: JSONValue?) throws(ControlError) -> (fields: HTTPFields, authority: String?) {
        let malformed = ControlFace.malformedMember(
            "'headers' must be an object of texts, or a list of objects with 'name' and 'value'.")
        var pairs: [(String, String)] = []
        switch value {
        case nil, .null: break
        case .object(let object):
            for (name, value) in object.members {
                guard let text = value.stringValue else { throw malformed }
                pairs.append((name, text))
            }
        case .array(let list):
            for element in list {
                guard let name = element["name"]?.stringValue, let text = element["value"]?.stringValue else { throw malformed }
                pairs.append((name, text))
            }
        default: throw malformed
        }
        var fields: HTTPFields = [:]
        var authority: String?
        for (name, value) in pairs {
            guard let fieldName = HTTPField.Name(name), isHeaderValue(value) else {
                throw ControlFace.malformedMember("'headers' has '\(name.visible)', whose name or value is not possible in HTTP.")
            }
            if fieldName.canonicalName == "host" {
                guard !value.isEmpty, value.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                    throw ControlFace.malformedMember("The header Host must be a host with an optional port.")
                }
                authority = value
            } else if !computed.contains(fieldName.canonicalName) {
                fields.append(HTTPField(name: fieldName, value: value))
            }
        }
        return (fields, authority)
    }

    private static func isHeaderValue(_ text: String) -> Bool { HTTPField.isValidValue(text) }

    private static func body(_ value: JSONValue?) throws(ControlError) -> [UInt8] {
        switch value {
        case nil, .null: return []
        case .string(let text): return Array(text.utf8)
        case .object(let object):
            try object.expect(only: ["base64"])
            if let bytes = try object.text("base64").flatMap({ [UInt8](base64: $0) }) { return bytes }
        default: break
        }
        throw ControlFace.malformedMember("'body' must be a string, or an object with 'base64'.")
    }
}
