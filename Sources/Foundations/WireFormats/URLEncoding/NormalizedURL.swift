/// The normal form of URLs, in which equivalent spellings are the same (RFC 3986 sections 6.2.2 and 6.2.3).
package enum NormalizedURL {
    /// Returns the normal form of an absolute http or https URL: scheme and host in lower case, no default port, and the path as
    /// ``path(of:)`` returns it. Query and fragment do not change. Other texts are returned as they are.
    package static func text(of url: String) -> String {
        let bytes = Array(url.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return url }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercasedASCII
        guard let defaultPort = defaultPorts.first(where: { $0.scheme == scheme })?.port, bytes[colon...].starts(with: "://".utf8) else {
            return url
        }
        let rest = bytes[(colon + 3)...]
        let endOfAuthority = rest.firstIndex { isOne(of: "/?#", $0) } ?? rest.endIndex
        var authority = String(decoding: rest[..<endOfAuthority], as: UTF8.self).lowercasedASCII
        for port in [":" + defaultPort, ":"] where authority.hasSuffix(port) {
            authority = String(Substring(authority.utf8.dropLast(port.utf8.count)))
            break
        }
        let tail = rest[endOfAuthority...]
        let endOfPath = tail.firstIndex { isOne(of: "?#", $0) } ?? tail.endIndex
        let path = path(of: String(decoding: tail[..<endOfPath], as: UTF8.self))
        return "\(scheme)://\(authority)\(path)\(String(decoding: tail[endOfPath...], as: UTF8.self))"
    }

    /// Returns the normal form of the path of an http URL: no escapes of unreserved characters, escapes with uppercase digits, no dot
    /// segments, and `/` instead of an empty path.
    package static func path(of path: String) -> String {
        var segments: [[UInt8]] = []
        let parts = unescaped(Array(path.utf8)).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        for (index, part) in zip(parts.indices, parts) {
            let isLast = index == parts.indices.last
            switch Array(part) {
            case [UInt8(ascii: ".")]:
                if isLast { segments.append([]) }
            case [UInt8(ascii: "."), UInt8(ascii: ".")]:
                if !segments.isEmpty { segments.removeLast() }
                if isLast { segments.append([]) }
            case let segment: segments.append(segment)
            }
        }
        return "/" + segments.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }

    private static let defaultPorts = [(scheme: "http", port: "80"), (scheme: "https", port: "443")]

    private static func isOne(of characters: String, _ byte: UInt8) -> Bool { characters.utf8.contains(byte) }

    /// Returns a path in which only characters that are not unreserved are escaped. An incomplete escape stays as it is.
    private static func unescaped(_ path: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(path.count)
        var index = 0
        while index < path.count {
            guard path[index] == UInt8(ascii: "%"), index + 2 < path.count, let high = digit(path[index + 1]),
                let low = digit(path[index + 2])
            else {
                result.append(path[index])
                index += 1
                continue
            }
            let byte = high << 4 | low
            if isUnreserved(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(high)], digits[Int(low)]]
            }
            index += 3
        }
        return result
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: isOne(of: "-._~", byte)
        }
    }
}
