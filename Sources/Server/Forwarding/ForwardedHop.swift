import Calls
import Federation
import HTTPTypes
import WireFormats

/// What one proxy reports about the request that it received. Values that are malformed are `nil`.
struct ForwardedHop: Equatable {
    /// The address from which a proxy received a request.
    struct Node: Equatable {
        var address: String
        var port: Int?
    }

    /// The sender of the request.
    var node: Node?
    /// Whether the sender used TLS.
    var isSecure: Bool?
    /// The `host[:port]` that the sender addressed.
    var host: String?
    /// The port that the sender addressed, if it is reported apart from the host.
    var port: Int?

    // MARK: X-Forwarded-For, -Proto, -Host, -Port

    /// Reads `X-Forwarded-…`, the outermost hop first. A list of schemes, hosts or ports that is shorter than that of addresses belongs to the
    /// proxies next to this process.
    /// - Returns: `nil` if the request has none of them.
    static func legacy(in headers: HTTPFields) -> [ForwardedHop]? {
        let names: [HTTPField.Name] = [.xForwardedFor, .xForwardedProto, .xForwardedHost, .xForwardedPort]
        guard names.contains(where: headers.contains) else { return nil }
        let lists = names.map { list($0, in: headers) }
        // A request without addresses passed at least one proxy.
        let count = max(lists[0].count, 1)
        return (0..<count).map { index in
            let depth = count - 1 - index
            func value(_ list: [Substring]) -> Substring? { list.isEmpty ? nil : list[list.count - 1 - min(depth, list.count - 1)] }
            return ForwardedHop(
                node: depth < lists[0].count ? Self.node(lists[0][index]) : nil, isSecure: value(lists[1]).flatMap(isSecure),
                host: value(lists[2]).flatMap(host), port: value(lists[3]).flatMap { UInt16(digits: $0) }.map { Int($0) })
        }
    }

    private static func list(_ name: HTTPField.Name, in headers: HTTPFields) -> [Substring] {
        headers[values: name].flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map(trimmed)
    }

    // MARK: Forwarded

    /// Reads `Forwarded`, the outermost hop first. (RFC 7239 section 4.)
    /// - Returns: `nil` if the request has none, or if one of them is malformed.
    static func standard(in headers: HTTPFields) -> [ForwardedHop]? {
        let values = headers[values: .forwarded]
        guard !values.isEmpty else { return nil }
        var hops: [ForwardedHop] = []
        for value in values {
            guard let elements = elements(of: value) else { return nil }
            hops += elements
        }
        return hops
    }

    private static func elements(of text: String) -> [ForwardedHop]? {
        var hops: [ForwardedHop] = []
        for element in split(text, at: ",") {
            // A list may have empty elements. (RFC 9110 section 5.6.1.)
            if trimmed(element).isEmpty { continue }
            var hop = ForwardedHop()
            var seen: Set<String> = []
            for pair in split(String(element), at: ";") {
                let pair = trimmed(pair)
                if pair.isEmpty { continue }
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, isToken(parts[0]), let value = unquoted(parts[1]) else { return nil }
                let name = parts[0].lowercasedASCII
                guard seen.insert(name).inserted else { return nil }
                switch name {
                case "for": hop.node = node(Substring(value))
                case "proto": hop.isSecure = isSecure(Substring(value))
                case "host": hop.host = host(Substring(value))
                default: break
                }
            }
            hops.append(hop)
        }
        return hops
    }

    /// Splits a text at a separator outside of quoted strings. The bytes count, because a client can place a combining character next to
    /// what a proxy appends.
    private static func split(_ text: String, at separator: Unicode.Scalar) -> [Substring] {
        let separator = UInt8(ascii: separator)
        var parts: [Substring] = []
        let bytes = text.utf8
        var (start, isQuoted, isEscaped) = (bytes.startIndex, false, false)
        for index in bytes.indices {
            let byte = bytes[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(text[start..<index])
                start = bytes.index(after: index)
            }
        }
        return parts + [text[start...]]
    }

    /// Returns the value of a token or quoted string; `nil` for any other text. (RFC 9110 sections 5.6.2 and 5.6.4.)
    private static func unquoted(_ text: Substring) -> String? {
        guard text.first == "\"" else {
            // Many proxies do not quote addresses with a port, as they have to.
            return !text.isEmpty && text.utf8.allSatisfy { isTokenByte($0) || $0 == UInt8(ascii: ":") || $0 == 0x5B || $0 == 0x5D }
                ? String(text) : nil
        }
        var value: [UInt8] = []
        var isEscaped = false
        let bytes = Array(text.utf8)
        for (offset, byte) in bytes.enumerated().dropFirst() {
            if isEscaped {
                value.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                return offset == bytes.count - 1 ? String(decoding: value, as: UTF8.self) : nil
            } else {
                value.append(byte)
            }
        }
        return nil
    }

    private static func isToken(_ text: Substring) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenByte) }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    // MARK: Values

    /// Reads an IP address with or without a port. Names such as `unknown` and `_hidden` are no addresses. (RFC 7239 section 6.)
    private static func node(_ text: Substring) -> Node? {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let (address, rest) = (text[text.index(after: text.startIndex)..<end], text[text.index(after: end)...])
            guard rest.isEmpty || rest.first == ":" else { return nil }
            return Node(address: String(address), port: port(rest.dropFirst()))
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].contains(":") else { return text.isEmpty ? nil : Node(address: String(text)) }
        return Node(address: String(parts[0]), port: port(parts[1]))
    }

    private static func port(_ text: Substring) -> Int? { UInt16(digits: text).map { Int($0) } }

    private static func isSecure(_ scheme: Substring) -> Bool? {
        switch scheme.lowercasedASCII {
        case "https", "wss": true
        case "http", "ws": false
        default: nil
        }
    }

    private static func host(_ text: Substring) -> String? {
        let text = String(text)
        return !text.isEmpty && text.utf8.last != UInt8(ascii: ":") && Authority.isValid(text) ? text : nil
    }

    /// Returns whether a `host[:port]` has a port.
    static func hasPort(_ authority: String) -> Bool {
        authority.first == "[" ? authority.last != "]" : authority.utf8.contains(UInt8(ascii: ":"))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return start.prefix(upTo: start.lastIndex { $0 != " " && $0 != "\t" }.map(start.index(after:)) ?? start.startIndex)
    }
}
