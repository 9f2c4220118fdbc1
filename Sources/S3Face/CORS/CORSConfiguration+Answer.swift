import HTTPTypes
import ObjectServing

extension CORSConfiguration {
    /// The header fields that let the page have the answer; `nil` if no rule fits.
    func answer(to question: CORSQuestion) -> HTTPFields? {
        guard let rule = rule(for: question) else { return nil }
        var fields = rule.fields(answering: question)
        if !rule.isForAll { fields[.accessControlAllowCredentials] = "true" }
        fields[.vary] = "Origin, Access-Control-Request-Headers, Access-Control-Request-Method"
        return fields
    }
}
