/// The names that this process goes by, and the one that answers give it.
package struct HostNames: Sendable {
    /// Fixes the origin of every absolute URL in answers, without a trailing slash; nothing derives it from the request's host.
    package var publicURL: String?
    /// Further host names, without port, that mean this process.
    package var aliases: Set<String>
    /// Whether a host, in lower case and without port, is the name of a real service that this process answers for.
    package var emulates: @Sendable (String) -> Bool = { _ in false }

    /// - Parameters:
    ///   - publicURL: the URL at which clients reach the server, or `nil` if they use the address that it listens at.
    ///   - aliases: further host names of the server.
    package init(publicURL: String? = nil, aliases: Set<String> = []) {
        self.publicURL = publicURL
        self.aliases = aliases
        if let publicURL, let host = Origin(url: publicURL)?.host { self.aliases.insert(host) }
    }

    /// Whether `host` (no port) means this process: loopback, `localhost` and names below it, a name of one label as
    /// container networks give them, or an alias.
    package func contains(_ host: String) -> Bool {
        let host = host.lowercased()
        let isOneLabel = !host.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
        return isOneLabel || Self.isLoopback(host) || host.hasSuffix(".localhost") || host == "[::1]"
            || host == "host.docker.internal" || aliases.contains(host)
    }

    /// Whether a host is an address and not a name.
    package static func isAddress(_ host: String) -> Bool {
        host.hasPrefix("[") || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The name of this process that `host` lies below, if it does: `localhost`, an alias, a name as container networks give
    /// them. Labels before it can name a bucket.
    /// - Parameter host: lower case, without port.
    package func base(of host: String) -> String? {
        if host.hasSuffix(".localhost") { return "localhost" }
        // The longest alias wins: one may lie below another.
        let alias = aliases.filter { host.hasSuffix(".\($0)") }.max { $0.utf8.count < $1.utf8.count }
        if let alias { return alias }
        return Self.containerNames.first { host.hasSuffix(".\($0)") }
    }

    /// The path of an absolute URL whose host means this process; `nil` for another's.
    package func path(ofOwn url: String) -> String? {
        guard let origin = Origin(url: url), contains(origin.host) else { return nil }
        return String(origin.path)
    }

    /// Names that the documentation gives this process in a container network.
    private static let containerNames = ["virga", "host.docker.internal"]

    /// Whether it is an address of 127.0.0.0/8; a name that merely begins so can be anybody's.
    package static func isLoopback(_ host: String) -> Bool {
        // Byte by byte: every request's host passes here.
        guard host.utf8.starts(with: "127.".utf8) else { return false }
        var dots = 0
        var part: Int?
        for byte in host.utf8 {
            switch byte {
            case UInt8(ascii: "."):
                guard part != nil else { return false }
                (dots, part) = (dots + 1, nil)
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let value = 10 * (part ?? 0) + Int(byte - UInt8(ascii: "0"))
                guard value <= 255 else { return false }
                part = value
            default: return false
            }
        }
        return dots == 3 && part != nil
    }
}

/// Scheme, host and port at the head of an absolute http URL.
package struct Origin {
    /// `host[:port]` as it is written.
    package var authority: String
    /// Lower case, an IPv6 address in brackets, no port.
    package var host: String
    /// What follows the authority: empty, or from the first slash on.
    package var path: Substring

    /// The origin of an absolute URL, or `nil` if the text is not one.
    package init?(url: String) {
        // In place: every token's issuer passes here.
        var text = url
        let found = text.withUTF8 { url -> (authority: String, end: Int)? in
            guard let scheme = Self.schemes.first(where: { url.starts(with: $0.utf8) }) else { return nil }
            let rest = url[scheme.utf8.count...]
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
            let authority = rest[..<end]
            guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")) else { return nil }
            return (String(decoding: UnsafeBufferPointer(rebasing: authority), as: UTF8.self), end)
        }
        guard let found else { return nil }
        authority = found.authority
        path = Substring(url.utf8.dropFirst(found.end))
        host = Origin.host(ofAuthority: authority)
    }

    private static let schemes = ["https://", "http://"]

    /// `host` of `host:port`.
    static func host(ofAuthority authority: String) -> String {
        if authority.utf8.first == UInt8(ascii: "["), let end = authority.firstIndex(of: "]") { return authority[...end].lowercased() }
        let host = authority.utf8.prefix { $0 != UInt8(ascii: ":") }
        return host.contains { (0x41...0x5A).contains($0) || $0 >= 0x80 } ? Substring(host).lowercased() : String(Substring(host))
    }
}
