import WireFormats

/// The CORS configuration of a bucket. (S3 API Reference and OSS API Reference, "CORSConfiguration".)
package struct CORSConfiguration: Hashable, Sendable {
    /// The rules. The first one that matches a request applies.
    package var rules: [CORSRule]
    /// Whether responses always have `Vary: Origin`; only OSS has this setting.
    package var alwaysVaries: Bool

    package init(rules: [CORSRule], alwaysVaries: Bool = false) {
        self.rules = rules
        self.alwaysVaries = alwaysVaries
    }

    /// Returns the rule for a request; `nil` if none matches.
    package func rule(for question: CORSQuestion) -> CORSRule? { rules.first { $0.fits(question) } }
}

/// A `CORSRule`.
package struct CORSRule: Hashable, Sendable {
    /// The identifier from the document.
    package var id: String?
    /// Allowed request headers as put; case-insensitive, each with at most one `*`.
    package var allowedHeaders: [String]
    /// Allowed methods; at least one.
    package var allowedMethods: [String]
    /// Allowed origins; at least one, each with at most one `*`.
    package var allowedOrigins: [String]
    /// The response headers that scripts may read.
    package var exposeHeaders: [String]
    /// How long browsers may cache the response to a preflight request, in seconds.
    package var maxAgeSeconds: Int64?

    package init(
        id: String? = nil, allowedHeaders: [String] = [], allowedMethods: [String], allowedOrigins: [String],
        exposeHeaders: [String] = [], maxAgeSeconds: Int64? = nil
    ) {
        self.id = id
        self.allowedHeaders = allowedHeaders
        self.allowedMethods = allowedMethods
        self.allowedOrigins = allowedOrigins
        self.exposeHeaders = exposeHeaders
        self.maxAgeSeconds = maxAgeSeconds
    }

    /// The methods that a rule can contain.
    package static let methods: Set<String> = ["GET", "PUT", "HEAD", "POST", "DELETE"]

    /// Whether the rule matches a request.
    package func fits(_ question: CORSQuestion) -> Bool {
        guard allowedMethods.contains(question.method) else { return false }
        guard allowedOrigins.contains(where: { Self.matches(question.origin, $0) }) else { return false }
        let allowed = allowedHeaders.map { $0.lowercased() }
        return question.headers.allSatisfy { header in allowed.contains { Self.matches(header, $0) } }
    }

    /// Whether a text matches a pattern, in which `*` matches any number of characters.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        let parts = pattern.utf8.split(separator: UInt8(ascii: "*"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return text == pattern }
        return text.utf8.count >= parts[0].count + parts[1].count && text.utf8.starts(with: parts[0])
            && text.utf8.suffix(parts[1].count).elementsEqual(parts[1])
    }

    /// Whether a pattern has more than one wildcard.
    package static func hasSeveralWildcards(_ text: String) -> Bool {
        text.utf8.lazy.filter { $0 == UInt8(ascii: "*") }.count > 1
    }
}
