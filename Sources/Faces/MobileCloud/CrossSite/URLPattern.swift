import WireFormats

/// The comma-separated patterns of a policy such as `Security_AllowOrigin` or `Security_SsoRedirectWhitelist`.
/// (Using Oracle Mobile Cloud Service, "Securing Cross-Site Requests to MCS APIs", "Browser-Based SSO".)
struct URLPatterns {
    private var patterns: [URLPattern]

    /// - Parameter policy: the policy's value. `nil`, `disallow` and malformed patterns allow nothing.
    init(_ policy: String?) {
        patterns = (policy ?? "").split(separator: ",").compactMap { URLPattern($0.trimmedOfBlanks) }
    }

    /// Returns whether a page of the origin may make cross-origin requests.
    func allows(origin: String) -> Bool {
        guard !origin.contains("?"), !origin.contains("#"), let origin = PlainURL(origin), origin.path == nil else { return false }
        return patterns.contains { $0.matches(origin: origin) }
    }

    /// Returns whether tokens may be sent to the URL.
    func allows(redirect: String) -> Bool {
        guard let address = PlainURL(redirect) else { return false }
        return patterns.contains { $0.matches(redirect: address) }
    }
}

/// A pattern `scheme://host[:port][/path]`, in which `*` matches any characters, including none, between the separators `.`, `/` and `:`.
private struct URLPattern {
    private var scheme: String
    /// The labels between the dots.
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
        // An origin has no path, so a pattern with a path, even just a slash, never matches one.
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

    /// Returns the segments of a path; a trailing slash adds none.
    private static func segments(of path: Substring?) -> [Substring] {
        var segments = (path ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if segments.last?.isEmpty == true { segments.removeLast() }
        return Array(segments)
    }

    private static func matches(pieces pattern: Substring, _ text: Substring) -> Bool {
        func pieces(_ segment: Substring) -> [Substring] { segment.split(omittingEmptySubsequences: false) { $0 == "." || $0 == ":" } }
        func separators(_ segment: Substring) -> [Unicode.Scalar] { segment.unicodeScalars.filter { $0 == "." || $0 == ":" } }
        let (own, others) = (pieces(pattern), pieces(text))
        return separators(pattern) == separators(text) && zip(own, others).allSatisfy { StarPattern($0).matches($1) }
    }
}

/// An absolute URL that browsers cannot interpret differently: it has no user, no backslash and no `..` segment.
private struct PlainURL {
    var scheme: String
    var host: [Substring]
    var port: Substring?
    /// The path without query and fragment; `nil` if the URL ends after the authority.
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

/// The components of a URL or of a pattern (RFC 3986 section 3).
private struct URLParts {
    /// In lower case.
    var scheme: String
    /// In lower case; an IPv6 address keeps its brackets.
    var host: Substring
    var port: Substring?
    /// The path with its leading slash.
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

    /// Returns the default port of a scheme.
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
