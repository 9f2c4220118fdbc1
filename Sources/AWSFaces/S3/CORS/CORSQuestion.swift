import Exchange
import HTTPTypes

/// What a request from a page of another origin says of itself: the preflight, or the request that follows it.
/// (Fetch Standard, "CORS protocol"; S3 User Guide, "Using cross-origin resource sharing".)
struct CORSQuestion: Hashable, Sendable {
    var origin: String
    /// The method that the page wants to use. S3 lets `Access-Control-Request-Method` say it on any request.
    var method: String
    /// In small letters, in the order asked for.
    var headers: [String]

    /// - Returns: nothing for a request that names no origin.
    init?(_ method: HTTPRequest.Method, _ fields: HTTPFields) {
        guard let origin = fields.value(of: .origin) else { return nil }
        self.origin = origin
        self.method = fields[.accessControlRequestMethod] ?? method.rawValue
        headers = (fields[.accessControlRequestHeaders] ?? "").split(separator: ",").map { String($0).trimmed.lowercased() }
            .filter { !$0.isEmpty }
    }
}

extension CORSConfiguration {
    /// The header fields that let the page have the answer; nothing where no rule fits.
    func answer(to question: CORSQuestion) -> HTTPFields? {
        guard let rule = rules.first(where: { $0.fits(question) }) else { return nil }
        var fields = HTTPFields()
        let isForAll = rule.allowedOrigins.contains("*")
        fields[.accessControlAllowOrigin] = isForAll ? "*" : question.origin
        fields[.accessControlAllowMethods] = rule.allowedMethods.joined(separator: ", ")
        if !question.headers.isEmpty { fields[.accessControlAllowHeaders] = question.headers.joined(separator: ", ") }
        if !rule.exposeHeaders.isEmpty { fields[.accessControlExposeHeaders] = rule.exposeHeaders.joined(separator: ", ") }
        if let age = rule.maxAgeSeconds { fields[.accessControlMaxAge] = String(age) }
        if !isForAll { fields[.accessControlAllowCredentials] = "true" }
        fields[.vary] = "Origin, Access-Control-Request-Headers, Access-Control-Request-Method"
        return fields
    }
}

extension CORSRule {
    func fits(_ question: CORSQuestion) -> Bool {
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
}
