import HTTPTypes
import ObjectServing

extension CORSConfiguration {
    /// Returns the header fields that allow the page to read the response; `nil` if no rule matches.
    func answer(to question: CORSQuestion) -> HTTPFields? {
        guard let rule = rule(for: question) else { return nil }
        var fields = rule.fields(answering: question)
        if !rule.isForAll { fields[.accessControlAllowCredentials] = "true" }
        fields[.vary] = "Origin, Access-Control-Request-Headers, Access-Control-Request-Method"
        return fields
    }
}
