import Calls
import WireFormats

/// The token in the field *Single Sign-On Token*: the mobile cloud's own, or one of a third party that is exchanged first.
enum ExternalToken {
    case own
    case jwt(String)
    /// An assertion, compressed with gzip and in base 64.
    case assertion(String)

    /// A request that exchanges the token.
    struct Request {
        var title: String
        var path: String
        var headers: [String: String]
        /// The fields of a POST; `nil` for a GET.
        var form: FormFields?
    }

    /// The longest SAML response, in bytes.
    private static let longest = 1 << 20

    init(_ text: String) {
        if text.contains(".") {
            self = Self.issuer(of: text) == "mobile cloud" ? .own : .jwt(text)
            return
        }
        // What people did by hand: take the assertion out of the SAMLResponse, compress it, encode it.
        if let bytes = [UInt8](base64: text), let document = Self.document(bytes), let assertion = Self.assertion(in: document) {
            self = .assertion(Self.gzipped(assertion).base64)
        } else {
            self = .assertion(text)
        }
    }

    private static func issuer(of token: String) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = [UInt8](base64url: String(parts[1])) else { return nil }
        return (try? JSONValue(parsing: bytes))?["iss"]?.stringValue
    }

    /// Returns the XML of a SAML response, which the redirect binding compresses.
    private static func document(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes.first == UInt8(ascii: "<") { return bytes }
        guard let inflated = bytes.inflated(upTo: longest), inflated.first == UInt8(ascii: "<") else { return nil }
        return inflated
    }

    private static func assertion(in document: [UInt8]) -> [UInt8]? {
        guard let root = try? XMLElement(parsing: document) else { return nil }
        if root.name == "Assertion" { return document }
        return root.child("Assertion")?.canonicalForm(.inclusive, within: [root])
    }

    private static func gzipped(_ bytes: [UInt8]) -> [UInt8] {
        let stream = GzipStream()
        let start = bytes.withUnsafeBytes { stream.compress($0) }
        return start + stream.finish()
    }

    /// The requests that exchange the token, in the order in which they are tried.
    func exchanges(_ backend: JSONObject) -> [Request] {
        func bearer(_ token: String) -> Request {
            Request(
                title: "Exchange the token", path: "/mobile/platform/sso/exchange-token",
                headers: ["Authorization": "Bearer \(token)", "Oracle-Mobile-Backend-ID": backend.string("id")])
        }
        switch self {
        case .own: return []
        case .assertion(let text): return [bearer(text)]
        case .jwt(let text):
            let client = Array("\(backend.string("clientID")):\(backend.string("clientSecret"))".utf8).base64
            let grant: FormFields = ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": text]
            return [
                Request(
                    title: "Exchange the JWT", path: "/mobile/platform/auth/token", headers: ["Authorization": "Basic \(client)"],
                    form: grant),
                bearer(text),
            ]
        }
    }
}
