import WireFormats

/// The host names of this process, and the URL that responses contain.
package struct HostNames: Sendable {
    private struct Values: Sendable {
        var publicURL: String?
        var aliases: Set<String>
        var emulates: @Sendable (String) -> Bool = { _ in false }
        var sandbox: String?
        var ancestors: Set<String> = []
        var sandboxOfPort: @Sendable (Int) -> String? = { _ in nil }
    }

    /// Holds the values. A class, because every request passes the names on.
    private final class Box: Sendable {
        let values: Values

        init(_ values: Values) { self.values = values }
    }

    private var box: Box
    private var values: Values {
        get { box.values }
        set { box = Box(newValue) }
    }

    /// The origin of every absolute URL in responses, without a trailing slash; if set, the request's host is ignored.
    package var publicURL: String? {
        get { box.values.publicURL }
        set { values.publicURL = newValue }
    }

    /// Further host names of this process, without port.
    package var aliases: Set<String> {
        get { box.values.aliases }
        set { values.aliases = newValue }
    }

    /// Returns whether a host, in lower case and without port, is the name of a real service that this process emulates.
    package var emulates: @Sendable (String) -> Bool {
        get { box.values.emulates }
        set { values.emulates = newValue }
    }

    /// The sandbox that these names lead to; `nil` for the default one.
    package var sandbox: String? {
        get { box.values.sandbox }
        set { values.sandbox = newValue }
    }

    /// The sandboxes whose addresses count as spellings here, because this one was copied from them.
    package var ancestors: Set<String> {
        get { box.values.ancestors }
        set { values.ancestors = newValue }
    }

    /// Returns the sandbox that has a port of its own.
    package var sandboxOfPort: @Sendable (Int) -> String? {
        get { box.values.sandboxOfPort }
        set { values.sandboxOfPort = newValue }
    }

    /// Whether the web console is on.
    package var hasConsole = false
    /// The port of the listener that serves the web console only; `nil` if there is none.
    package var consolePort: @Sendable () -> Int? = { nil }
    /// Returns whether the web console of this sandbox made the `state` of a login that returns to a URL.
    package var isConsoleState: @Sendable (_ state: String, _ callback: String) -> Bool = { _, _ in false }

    /// Creates the names.
    /// - Parameters:
    ///   - publicURL: the URL at which clients reach the server, or `nil` if they use the address on which it listens.
    ///   - aliases: further host names of the server.
    package init(publicURL: String? = nil, aliases: Set<String> = []) {
        var aliases = aliases
        if let publicURL, let host = Origin(url: publicURL)?.host { aliases.insert(host) }
        box = Box(Values(publicURL: publicURL, aliases: aliases))
    }

    /// Returns whether a host without port is a name of this process: loopback, `localhost` and names below it, a single-label name as in
    /// container networks, or an alias.
    ///
    /// Names of other sandboxes are not contained.
    package func contains(_ host: String) -> Bool {
        guard Authority.isValid(host) else { return false }
        let host = host.lowercasedASCII
        if let sandboxHost = sandboxHost(host) { return isOwn(sandboxHost.name) }
        let isOneLabel = !host.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
        return isOneLabel || Self.isBrowsersMachine(host) || host == "host.docker.internal" || aliases.contains(host)
    }

    /// Returns whether a host is an IP address rather than a name.
    package static func isAddress(_ host: String) -> Bool {
        host.hasPrefix("[") || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Returns the parent name of a host, if it is a name of this process: `localhost`, an alias, or a name in a container network. The
    /// labels before it can name a bucket.
    /// - Parameter host: lower case, without port.
    package func base(of host: String) -> String? {
        if let sandboxHost = sandboxHost(host), isOwn(sandboxHost.name) {
            return sandboxHost.hasLabels ? sandboxHost.sandboxBase : nil
        }
        if host.hasSuffix(".localhost") { return "localhost" }
        // The longest alias wins, because one may be below another.
        let alias = aliases.filter { host.hasSuffix(".\($0)") }.max { $0.utf8.count < $1.utf8.count }
        if let alias { return alias }
        return Self.containerNames.first { host.hasSuffix(".\($0)") }
    }

    /// Returns the path of an absolute URL whose host is this process; `nil` for other hosts.
    package func path(ofOwn url: String) -> String? {
        guard let origin = Origin(url: url), contains(origin) else { return nil }
        return String(origin.path)
    }

    /// Returns whether an origin is this process, and neither the name nor the port of another sandbox.
    package func contains(_ origin: Origin) -> Bool {
        guard contains(origin.host) else { return false }
        guard let port = origin.port, let other = sandboxOfPort(port) else { return true }
        return isOwn(other)
    }

    /// Returns whether a redirect URI is that of the web console. It counts as registered for every client while the console is on.
    ///
    /// A port mapping can give the console's own port any number. No list of such numbers exists, because clients can send any `Host`. Instead
    /// the `state` of each login proves that the console itself began it at that address.
    /// - Parameters:
    ///   - authority: the `host[:port]` that the request addresses.
    ///   - state: the `state` of the request, or its `RelayState`.
    package func isConsoleCallback(_ uri: String, at authority: String, state: String?) -> Bool {
        guard hasConsole, let origin = Origin(url: uri), origin.path == "/_virga/ui/callback", contains(origin.host),
            origin.host == Origin.host(ofAuthority: authority)
        else { return false }
        // At a name that a bucket can have, its service worker would receive the code.
        if origin.authority == authority, base(of: origin.host) == nil { return true }
        return origin.effectivePort == consolePort() || state.map { isConsoleState($0, uri) } ?? false
    }

    private func isOwn(_ sandbox: String) -> Bool { sandbox == self.sandbox || ancestors.contains(sandbox) }

    /// Reads the host name of a sandbox; `nil` if the host does not lead to one.
    /// - Parameter host: lower case, without port.
    package func sandboxHost(_ host: String) -> SandboxHost? {
        SandboxHost(host) { $0 == "localhost" || aliases.contains($0) || Self.containerNames.contains($0) }
    }

    /// Returns the URL of a sandbox.
    /// - Parameter endpoint: a URL of the default sandbox, whose scheme and port it has if there is no public URL.
    package func url(of sandbox: String, at endpoint: String) -> String {
        if let publicURL = names(of: sandbox, ancestors: []).publicURL { return publicURL }
        guard let origin = Origin(url: endpoint) else { return endpoint }
        let scheme = endpoint.hasPrefix("https://") ? "https" : "http"
        return "\(scheme)://\(SandboxHost.base(sandbox, below: "localhost"))" + (origin.port.map { ":\($0)" } ?? "")
    }

    /// Returns the names of a sandbox of this process.
    /// - Parameter ancestors: the sandboxes that it was copied from.
    package func names(of sandbox: String, ancestors: Set<String>) -> HostNames {
        var names = self
        (names.sandbox, names.ancestors) = (sandbox, ancestors)
        if let publicURL {
            let scheme = publicURL.hasPrefix("https://") ? "https://" : "http://"
            names.publicURL = scheme + SandboxHost.base(sandbox, below: String(publicURL.dropFirst(scheme.count)))
        }
        return names
    }

    /// The names that the documentation uses for this process in a container network.
    private static let containerNames = ["virga", "host.docker.internal"]
}

/// The scheme, host and port of an absolute http or https URL.
package struct Origin {
    /// `host[:port]` as written.
    package var authority: String
    /// The host in lower case, with brackets around an IPv6 address, without port.
    package var host: String
    /// The port, if the authority has one.
    package var port: Int? {
        guard let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        return Int(authority[authority.utf8.index(after: colon)...])
    }
    /// The port, or that of the scheme.
    package var effectivePort: Int { port ?? (isSecure ? 443 : 80) }
    /// Whether the scheme is https.
    private let isSecure: Bool
    /// The rest of the URL: empty, or from the first `/`, `?` or `#` on.
    package var path: Substring

    /// Creates the origin of an absolute URL; `nil` if the text is not one.
    package init?(url: String) {
        // Parses without copies for speed, because the issuer of every token is parsed.
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
        isSecure = url.utf8.starts(with: "https:".utf8)
        path = Substring(url.utf8.dropFirst(found.end))
        host = Origin.host(ofAuthority: authority)
    }

    private static let schemes = ["https://", "http://"]

    /// Whether two URLs have the same origin (RFC 6454 section 5).
    package func isSame(as other: Origin) -> Bool {
        isSecure == other.isSecure && host == other.host && effectivePort == other.effectivePort
    }

    /// Returns `host` of `host:port`.
    package static func host(ofAuthority authority: String) -> String {
        if authority.utf8.first == UInt8(ascii: "["), let end = authority.firstIndex(of: "]") { return authority[...end].lowercased() }
        let host = authority.utf8.prefix { $0 != UInt8(ascii: ":") }
        return host.contains { (0x41...0x5A).contains($0) || $0 >= 0x80 } ? Substring(host).lowercased() : String(Substring(host))
    }
}
