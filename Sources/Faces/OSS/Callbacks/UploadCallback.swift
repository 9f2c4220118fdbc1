import Calls
import HTTPTypes
import WireFormats

/// A callback to the app's server after an upload.
/// (OSS API Reference, "Callback".)
struct UploadCallback: Hashable, Sendable {
    enum BodyType: String, Sendable {
        case form = "application/x-www-form-urlencoded"
        case json = "application/json"
    }

    /// One to five URLs, tried in order until one succeeds.
    var urls: [String]
    /// The `Host` header; `nil` for the one of the URL.
    var host: String?
    /// The body, with variables in it.
    var body: String
    var bodyType: BodyType
    /// The custom variables by name, including `x:`.
    var variables: [String: String]

    private static let longest = 5 << 10

    /// Parses a callback.
    /// - Parameters:
    ///   - callback: a JSON object in base64; in a form it is the field `callback`.
    ///   - variables: a JSON object in base64, with names that begin with `x:`.
    /// - Returns: `nil` if there is no callback.
    /// - Throws: `InvalidArgument`.
    init?(callback: String?, variables: String?) throws(OSSError) {
        guard let callback else { return nil }
        let members = try Self.object(callback, "callback")
        guard let url = members["callbackUrl"]?.stringValue, !url.isEmpty else {
            throw .invalidArgument("The callback configuration has no callbackUrl.", name: "callback", value: callback)
        }
        guard let body = members["callbackBody"]?.stringValue, !body.isEmpty else {
            throw .invalidArgument("The callback configuration has no callbackBody.", name: "callback", value: callback)
        }
        urls = url.split(separator: ";").map { text in
            text.hasPrefix("http://") || text.hasPrefix("https://") ? String(text) : "http://" + text
        }
        guard (1...5).contains(urls.count) else {
            throw .invalidArgument("The callback configuration has more than five URLs.", name: "callback", value: callback)
        }
        host = members["callbackHost"]?.stringValue
        self.body = body
        if let type = members["callbackBodyType"]?.stringValue, !type.isEmpty {
            guard let bodyType = BodyType(rawValue: type.lowercased()) else {
                throw .invalidArgument("The callbackBodyType is not supported.", name: "callback", value: callback)
            }
            self.bodyType = bodyType
        } else {
            bodyType = .form
        }
        self.variables = [:]
        if let variables {
            for (name, value) in try Self.object(variables, "callback-var").members {
                // Other members are ignored.
                guard name.hasPrefix("x:") else { continue }
                guard let text = value.stringValue else {
                    throw .invalidArgument("The callback variables are not well-formed.", name: "callback-var", value: variables)
                }
                self.variables[name] = text
            }
        }
    }

    /// Returns the name of the callback policy that a callback refers to; `nil` for an inline callback.
    /// (OSS API Reference, "Callback", `callbackPolicy`.)
    static func policyName(in callback: String) throws(OSSError) -> String? {
        try object(callback, "callback")["callbackPolicy"]?.stringValue
    }

    private static func object(_ text: String, _ name: String) throws(OSSError) -> JSONObject {
        guard text.utf8.count <= longest else {
            throw .invalidArgument("The callback configuration is too long.", name: name, value: text)
        }
        guard let bytes = [UInt8](base64: text) else {
            throw .invalidArgument("The callback configuration is not base64 encoded.", name: name, value: text)
        }
        guard case .object(let object)? = try? JSONValue(parsing: bytes) else {
            throw .invalidArgument("The callback configuration is not json format.", name: name, value: text)
        }
        return object
    }

    /// Returns the body with its variables replaced by values.
    /// - Parameter value: returns the value of a system variable; `nil` if it does not exist.
    func filledBody(_ value: (String) -> CallbackValue?) -> String {
        var filled = ""
        var rest = body[...]
        while let dollar = rest.firstIndex(of: "$") {
            filled += rest[..<dollar]
            rest = rest[dollar...]
            guard rest.hasPrefix("${"), let end = rest.firstIndex(of: "}") else {
                filled.append("$")
                rest = rest.dropFirst()
                continue
            }
            let name = String(rest[rest.index(rest.startIndex, offsetBy: 2)..<end])
            let found = name.hasPrefix("x:") ? variables[name].map(CallbackValue.text) : value(name)
            filled += spelled(found ?? .text(""), isWithinQuotes: filled.last == "\"")
            rest = rest[rest.index(after: end)...]
        }
        return filled + rest
    }

    /// Encodes a value for the body. In JSON, text is quoted unless the template already has quotes around the variable.
    private func spelled(_ value: CallbackValue, isWithinQuotes: Bool) -> String {
        switch (bodyType, value) {
        case (.form, .text(let text)): return percentEncoded(text)
        case (_, .number(let number)): return number
        case (.json, .text(let text)):
            let quoted = String(decoding: JSONValue.string(text).serializedBytes(), as: UTF8.self)
            return isWithinQuotes ? String(quoted.dropFirst().dropLast()) : quoted
        }
    }
}

/// The value of a callback variable.
enum CallbackValue: Hashable, Sendable {
    case text(String)
    case number(String)
}
