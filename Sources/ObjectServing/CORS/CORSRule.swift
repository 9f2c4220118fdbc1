/// Which other origins' pages may use a bucket, and how. (S3 API Reference and OSS API Reference, "CORSConfiguration".)
package struct CORSConfiguration: Hashable, Sendable {
    /// The first that fits a request answers it.
    package var rules: [CORSRule]
    /// Whether answers always say that they depend on the origin; OSS alone lets a bucket choose.
    package var alwaysVaries: Bool

    package init(rules: [CORSRule], alwaysVaries: Bool = false) {
        self.rules = rules
        self.alwaysVaries = alwaysVaries
    }

    /// The rule that answers a question; `nil` if none fits.
    package func rule(for question: CORSQuestion) -> CORSRule? { rules.first { $0.fits(question) } }
}

/// One `CORSRule`.
package struct CORSRule: Hashable, Sendable {
    /// The identifier that the owner gave.
    package var id: String?
    /// In any case of letters, as given; each has at most one `*`.
    package var allowedHeaders: [String]
    /// At least one.
    package var allowedMethods: [String]
    /// At least one; each has at most one `*`.
    package var allowedOrigins: [String]
    /// The header fields that scripts may read.
    package var exposeHeaders: [String]
    /// How long browsers may keep the answer to a preflight request, in seconds.
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

    /// The methods that a rule can speak of.
    package static let methods: Set<String> = ["GET", "PUT", "HEAD", "POST", "DELETE"]

    /// Whether the rule allows a request.
    package func fits(_ question: CORSQuestion) -> Bool {
        guard allowedMethods.contains(question.method) else { return false }
        guard allowedOrigins.contains(where: { Self.matches(question.origin, $0) }) else { return false }
        let allowed = allowedHeaders.map { $0.lowercased() }
        return question.headers.allSatisfy { header in allowed.contains { Self.matches(header, $0) } }
    }

    /// Compares a whole text with a pattern whose one `*` stands for any characters, also for none.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        let parts = pattern.utf8.split(separator: UInt8(ascii: "*"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return text == pattern }
        return text.utf8.count >= parts[0].count + parts[1].count && text.utf8.starts(with: parts[0])
            && text.utf8.suffix(parts[1].count).elementsEqual(parts[1])
    }

    /// Whether a text has more wildcards than a pattern may have.
    package static func hasSeveralWildcards(_ text: String) -> Bool {
        text.utf8.lazy.filter { $0 == UInt8(ascii: "*") }.count > 1
    }
}
