import Calls
import HTTPTypes
import WireFormats

/// What an upload asks OSS to tell the app's server when the object is there.
/// (OSS API Reference, "Callback".)
struct UploadCallback: Hashable, Sendable {
    enum BodyType: String, Sendable {
        case form = "application/x-www-form-urlencoded"
        case json = "application/json"
    }

    /// One to five, asked in order until one answers.
    var urls: [String]
    /// What the `Host` field says, where it is not the URL's.
    var host: String?
    /// With variables in it.
    var body: String
    var bodyType: BodyType
    /// By name, `x:` included.
    var variables: [String: String]

    private static let longest = 5 << 10

    /// - Parameters:
    ///   - callback: base 64 of a JSON object; a form has it in the field `callback`.
    ///   - variables: base 64 of a JSON object with names that begin with `x:`.
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
                // Members that are no variables are passed over.
                guard name.hasPrefix("x:") else { continue }
                guard let text = value.stringValue else {
                    throw .invalidArgument("The callback variables are not well-formed.", name: "callback-var", value: variables)
                }
                self.variables[name] = text
            }
        }
    }

    /// The name of the bucket's policy that a callback refers to; `nil` for a callback in its own words.
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

    /// The body with values for its variables.
    /// - Parameter value: of a variable of the system, by name; `nil` for one that there is not.
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

    /// Texts are quoted in JSON unless the app has put the quotes around the variable.
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

/// What stands in the place of a callback's variable.
enum CallbackValue: Hashable, Sendable {
    case text(String)
    case number(String)
}
