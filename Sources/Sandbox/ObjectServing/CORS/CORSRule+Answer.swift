package import HTTPTypes
import WireFormats

extension CORSRule {
    /// Whether the rule allows every origin.
    package var isForAll: Bool { allowedOrigins.contains("*") }

    /// Returns the header fields that allow a page to read the response. Those for credentials and caches depend on the service and are
    /// added by the faces.
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
