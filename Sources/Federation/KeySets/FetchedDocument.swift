/// What a server elsewhere answered.
package struct FetchedDocument: Sendable {
    /// The status code of the answer.
    package var status: Int
    /// The content of the answer.
    package var body: [UInt8]
    /// The value of `Cache-Control`, if there was one.
    package var cacheControl: String?

    package init(status: Int, body: [UInt8], cacheControl: String? = nil) {
        self.status = status
        self.body = body
        self.cacheControl = cacheControl
    }

    /// Seconds that a document is kept where its server says nothing, and at most.
    private static let usualLifetime = 300
    private static let longestLifetime = 86_400

    /// Seconds that the document may be used for; 0 where it may not be kept (RFC 9111 section 5.2.2).
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
