package import HTTPTypes

extension CORSRule {
    /// Whether it lets the pages of every origin in.
    package var isForAll: Bool { allowedOrigins.contains("*") }

    /// The header fields that let a page have the answer whose question the rule fits. What they say of credentials and of caches is each
    /// service's own.
    package func fields(answering question: CORSQuestion) -> HTTPFields {
        var fields = HTTPFields()
        fields[.accessControlAllowOrigin] = isForAll ? "*" : question.origin
        fields[.accessControlAllowMethods] = allowedMethods.joined(separator: ", ")
        if !question.headers.isEmpty { fields[.accessControlAllowHeaders] = question.headers.joined(separator: ", ") }
        if !exposeHeaders.isEmpty { fields[.accessControlExposeHeaders] = exposeHeaders.joined(separator: ", ") }
        if let age = maxAgeSeconds { fields[.accessControlMaxAge] = String(age) }
        return fields
    }
}
