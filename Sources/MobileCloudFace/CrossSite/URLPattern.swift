import WireFormats

/// The patterns of a policy such as `Security_AllowOrigin` or `Security_SsoRedirectWhitelist`, separated by commas.
/// (Using Oracle Mobile Cloud Service, "Securing Cross-Site Requests to MCS APIs", "Browser-Based SSO".)
struct URLPatterns {
    private var patterns: [URLPattern]

    /// - Parameter policy: the policy's value; nothing, `disallow` and what is no pattern allow nothing.
    init(_ policy: String?) {
        patterns = (policy ?? "").split(separator: ",").compactMap { URLPattern($0.trimmedOfBlanks) }
    }

    /// Whether a page of the origin may make cross-site requests.
    func allows(origin: String) -> Bool {
        guard !origin.contains("?"), !origin.contains("#"), let origin = PlainURL(origin), origin.path == nil else { return false }
        return patterns.contains { $0.matches(origin: origin) }
    }

    /// Whether tokens may be sent to the address.
    func allows(redirect: String) -> Bool {
        guard let address = PlainURL(redirect) else { return false }
        return patterns.contains { $0.matches(redirect: address) }
    }
}

/// `scheme://host[:port][/path]`, where `*` stands for any characters, or none, within a piece between `.`, `/` and `:`.
private struct URLPattern {
    private var scheme: String
    /// Between the full stops.
    private var host: [Substring]
    private var port: Substring?
    private var path: Substring?

    init?(_ text: Substring) {
        guard let parts = URLParts(text) else { return nil }
        scheme = parts.scheme
        host = parts.host.split(separator: ".", omittingEmptySubsequences: false)
        port = parts.port ?? URLParts.usualPort(of: parts.scheme)
        path = parts.path
    }

    func matches(origin: PlainURL) -> Bool {
        // An origin has no path, so that a pattern with one, and be it a slash, is none of an origin.
        path == nil && matchesAuthority(of: origin)
    }

    func matches(redirect: PlainURL) -> Bool {
        guard matchesAuthority(of: redirect) else { return false }
        let (own, others) = (Self.segments(of: path), Self.segments(of: redirect.path))
        return own.count <= others.count && zip(own, others).allSatisfy { Self.matches(pieces: $0, $1) }
    }

    private func matchesAuthority(of url: PlainURL) -> Bool {
        guard scheme == url.scheme, host.count == url.host.count, zip(host, url.host).allSatisfy({ StarPattern($0).matches($1) }) else {
            return false
        }
        return switch (port, url.port) {
        case (nil, nil): true
        case (let own?, let other?): StarPattern(own).matches(other)
        default: false
        }
    }

    /// A slash at the end adds no segment.
    private static func segments(of path: Substring?) -> [Substring] {
        var segments = (path ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if segments.last?.isEmpty == true { segments.removeLast() }
        return Array(segments)
    }

    private static func matches(pieces pattern: Substring, _ text: Substring) -> Bool {
        func pieces(_ segment: Substring) -> [Substring] { segment.split(omittingEmptySubsequences: false) { $0 == "." || $0 == ":" } }
        func separators(_ segment: Substring) -> [Character] { segment.filter { $0 == "." || $0 == ":" } }
        let (own, others) = (pieces(pattern), pieces(text))
        return separators(pattern) == separators(text) && zip(own, others).allSatisfy { StarPattern($0).matches($1) }
    }
}

/// An absolute URL as browsers cannot understand it otherwise: no user, no backslash, no segment that leads upwards.
private struct PlainURL {
    var scheme: String
    var host: [Substring]
    var port: Substring?
    /// Without query and fragment; `nil` if the URL ends with the authority.
    var path: Substring?

    init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        guard let parts = URLParts(text.prefix { $0 != "?" && $0 != "#" }) else { return nil }
        guard parts.host.utf8.allSatisfy(Self.isHostCharacter), parts.port?.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ?? true else {
            return nil
        }
        let segments = (parts.path ?? "").split(separator: "/")
        guard !segments.contains(where: { ["", ".", ".."].contains(percentDecoded($0) ?? "") }) else { return nil }
        scheme = parts.scheme
        host = parts.host.split(separator: ".", omittingEmptySubsequences: false)
        guard !host.contains("") else { return nil }
        port = parts.port ?? URLParts.usualPort(of: parts.scheme)
        path = parts.path
    }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: ":"):
            true
        default: false
        }
    }
}

/// The pieces of a URL, or of a pattern. (RFC 3986 section 3.)
private struct URLParts {
    /// Lower case.
    var scheme: String
    /// Lower case; an IPv6 address in its brackets.
    var host: Substring
    var port: Substring?
    /// From its slash on.
    var path: Substring?

    init?(_ text: Substring) {
        guard let mark = text.firstRange(of: "://"), mark.lowerBound > text.startIndex else { return nil }
        scheme = text[..<mark.lowerBound].lowercased()
        guard scheme.utf8.allSatisfy(Self.isSchemeCharacter) else { return nil }
        let rest = text[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        path = authority.endIndex == rest.endIndex ? nil : rest[authority.endIndex...]
        let name: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            name = authority[...end]
        } else {
            name = authority.prefix { $0 != ":" }
        }
        guard !name.isEmpty, !name.contains("@") else { return nil }
        host = Substring(name.lowercased())
        switch authority[name.endIndex...] {
        case "": port = nil
        case let rest where rest.first == ":" && rest.count > 1 && !rest.dropFirst().contains(":"): port = rest.dropFirst()
        default: return nil
        }
    }

    /// What needs not be written.
    static func usualPort(of scheme: String) -> Substring? {
        switch scheme {
        case "http": "80"
        case "https": "443"
        default: nil
        }
    }

    private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
