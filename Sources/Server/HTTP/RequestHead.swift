import Calls
import Federation
import HTTPTypes
import NIOHTTP1
import WireFormats

/// The head of a request, with its meaning for the message and the connection. (RFC 9112.)
struct RequestHead {
    let method: HTTPRequest.Method
    let target: String
    let authority: String
    let fields: HTTPFields
    /// The length of the body in bytes; `nil` for a chunked body.
    let contentLength: Int?
    let isKeptAlive: Bool
    /// Whether the client waits for `100 Continue` before it sends the body. (RFC 9110 section 10.1.1.)
    let expectsContinue: Bool
    let isHTTP10: Bool

    /// The most headers of the previous request among which a header is searched.
    private static let mostCompared = 64

    /// - Returns: `nil` if the head is not a valid request: an HTTP/1.1 request without exactly one valid `Host` (RFC 9112 section 3.2), a
    ///   method that is not a token, or a transfer coding other than `chunked` alone, once (sections 6.1 and 7).
    /// - Parameter previous: the headers of the previous request on the connection. Most requests repeat most of them, such as the session
    ///   token and `User-Agent`, and a comparison is cheaper than validating each character again.
    init?(_ head: HTTPRequestHead, after previous: HTTPFields) {
        guard let method = try? HTTPRequest.Method(head.method) else { return nil }
        isHTTP10 = head.version == .http1_0
        var fields = HTTPFields()
        fields.reserveCapacity(head.headers.count)
        var (host, length): (String?, Int?) = (nil, nil)
        var (isExpected, isUpgrade, isChunked) = (false, false, false)
        for (name, value) in head.headers {
            guard let (name, role) = FieldNames.name(name) else { continue }
            switch role {
            case .host:
                guard host == nil else { return nil }
                host = Self.withoutBlanks(value)
                continue
            case .contentLength: length = Int(Self.withoutBlanks(value))
            case .expect: isExpected = Self.withoutBlanks(value).lowercased() == "100-continue"
            case .upgrade: isUpgrade = true
            case .transferEncoding:
                guard !isChunked, !isHTTP10, Self.withoutBlanks(value).lowercased() == "chunked" else { return nil }
                isChunked = true
            case .cookie:
                for pair in value.split(separator: "; ", omittingEmptySubsequences: false) {
                    fields.append(HTTPField(name: name, value: String(pair)))
                }
                continue
            case .other: break
            }
            // A short value is validated faster than found, and so is any value among many headers.
            if value.utf8.count > 32, previous.count <= Self.mostCompared, let index = previous.firstIndex(named: name),
                previous[index].value.equals(value), previous[index].name.rawName.equals(name.rawName)
            {
                fields.append(previous[index])
            } else {
                fields.append(HTTPField(name: name, value: value))
            }
        }
        guard host != nil || isHTTP10, length == nil || !isChunked else { return nil }
        let uri = head.uri
        if uri.utf8.first == UInt8(ascii: "/") {
            target = uri
        } else {
            var rest = Substring(uri)
            // A target in absolute form overrides `Host`. (RFC 9112 section 3.2.2.)
            if let scheme = ["http://", "https://"].first(where: { rest.hasPrefix($0) }) {
                rest = rest.dropFirst(scheme.count)
                let authority = rest.prefix { $0 != "/" && $0 != "?" }
                host = String(authority)
                rest = rest.dropFirst(authority.count)
            }
            target = rest.hasPrefix("/") || rest == "*" ? String(rest) : "/\(rest)"
        }
        self.method = method
        self.fields = fields
        authority = host ?? ""
        guard Authority.isValid(authority) else { return nil }
        contentLength = length
        // After an upgrade request or CONNECT, the parser expects another protocol. No other is supported, so the connection closes.
        isKeptAlive = head.isKeepAlive && !isUpgrade && head.method != .CONNECT
        expectsContinue = isExpected && !isHTTP10
    }

    /// Returns a value without the blanks after it, which do not belong to it (RFC 9110 section 5.5). The parser removes those before it only.
    private static func withoutBlanks(_ value: String) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let last = value.utf8.last, isBlank(last) else { return value }
        let bytes = Array(value.utf8)
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}

extension HTTPRequest.Method {
    fileprivate init(_ method: HTTPMethod) throws {
        switch method {
        case .GET: self = .get
        case .HEAD: self = .head
        case .PUT: self = .put
        case .POST: self = .post
        case .DELETE: self = .delete
        case .OPTIONS: self = .options
        default:
            guard let method = Self(method.rawValue) else { throw InvalidMethod() }
            self = method
        }
    }

    private struct InvalidMethod: Error {}
}
