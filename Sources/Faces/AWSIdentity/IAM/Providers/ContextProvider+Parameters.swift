import Directory
import Federation
import HTTPTypes
import WireFormats

extension QueryParameters {
    /// Reads `ContextProvider`; `nil` if the call has none. (IAM API Reference, "ContextProvider".)
    mutating func contextProvider() -> ContextProvider? {
        let name = "ContextProvider."
        guard contains("ContextProvider") else { return nil }
        let list = name + "KeyDefinitionList"
        let mappings = (0..<count(of: list, most: ContextProvider.mostMappings)).map { index in
            let member = "\(list).member.\(index + 1)."
            return ContextProvider.Mapping(
                source: requiredText(member + "SourceKey", length: 1...ContextProvider.longest, pattern: .contextKey),
                target: text(member + "TargetKey", length: 1...ContextProvider.longest, pattern: .contextKey))
        }
        let context = ContextProvider(
            mappings: mappings,
            subjectSourceKey: requiredText(name + "SubjectSourceKey", length: 1...ContextProvider.longest, pattern: .contextKey),
            subjectTypeValue: text(name + "SubjectTypeValue", length: 0...ContextProvider.longest),
            subjectTypeSourceKey: text(name + "SubjectTypeSourceKey", length: 1...ContextProvider.longest, pattern: .contextKey))
        if context.hasTwoSubjectTypes {
            // Virga's wording.
            refuse(.invalidInput("SubjectTypeValue and SubjectTypeSourceKey cannot both be specified."))
        }
        let keys = Set(mappings.map { OriginIdentity.key(of: $0).lowercasedASCII })
        // Condition keys are not case-sensitive. AWS documents no rule; which claim would count is unclear. Virga's wording.
        if keys.count < mappings.count { refuse(.invalidInput("KeyDefinitionList must not map two claims to the same key.")) }
        return context
    }
}

extension QueryParameters.Pattern {
    /// Letters, digits, single spaces and some punctuation.
    fileprivate static let contextKey = Self(
        text: "[A-Za-z0-9_.:/=+\\-@#]+( [A-Za-z0-9_.:/=+\\-@#]+)*", accepts: \.isASCII, frame: ContextProvider.hasFormOfKey)
}

extension ContextProvider {
    /// Writes the members of the shape `ContextProvider`.
    func encode(into xml: inout XMLWriter) {
        xml.element("KeyDefinitionList") { xml in
            for mapping in mappings {
                xml.element("member") { xml in
                    xml.element("SourceKey", mapping.source)
                    if let target = mapping.target { xml.element("TargetKey", target) }
                }
            }
        }
        xml.element("SubjectSourceKey", subjectSourceKey)
        if let subjectTypeValue { xml.element("SubjectTypeValue", subjectTypeValue) }
        if let subjectTypeSourceKey { xml.element("SubjectTypeSourceKey", subjectTypeSourceKey) }
    }
}
