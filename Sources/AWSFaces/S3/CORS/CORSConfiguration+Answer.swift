import HTTPTypes
import ObjectServing

extension CORSConfiguration {
    /// The header fields that let the page have the answer; nothing where no rule fits.
    func answer(to question: CORSQuestion) -> HTTPFields? {
        guard let rule = rule(for: question) else { return nil }
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
