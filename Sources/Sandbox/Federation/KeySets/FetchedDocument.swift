import WireFormats

/// The response of an external server.
package struct FetchedDocument: Sendable {
    /// The status code of the answer.
    package var status: Int
    /// The body of the response.
    package var body: [UInt8]
    /// The value of `Cache-Control`, if present.
    package var cacheControl: String?

    package init(status: Int, body: [UInt8], cacheControl: String? = nil) {
        self.status = status
        self.body = body
        self.cacheControl = cacheControl
    }

    /// The cache lifetimes in seconds: the default and the maximum.
    private static let usualLifetime = 300
    private static let longestLifetime = 86_400

    /// The number of seconds for which the document may be cached; 0 if it must not be (RFC 9111 section 5.2.2).
    var lifetime: Int {
        var lifetime = Self.usualLifetime
        for part in cacheControl?.split(separator: ",") ?? [] {
            let directive = part.lowercased().filter { $0 != " " }
            if directive == "no-store" || directive == "no-cache" { return 0 }
            if directive.hasPrefix("max-age="), let seconds = Int(directive.dropFirst("max-age=".count)) { lifetime = seconds }
        }
        return min(max(lifetime, 0), Self.longestLifetime)
    }
}
