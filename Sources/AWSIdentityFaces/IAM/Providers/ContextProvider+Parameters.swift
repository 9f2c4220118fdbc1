import Directory
import HTTPTypes
import WireFormats

extension QueryParameters {
    /// Reads `ContextProvider`; `nil` if the call has none. (IAM API Reference, "ContextProvider".)
    mutating func contextProvider() -> ContextProvider? {
        let name = "ContextProvider."
        guard contains("ContextProvider") else { return nil }
        let list = name + "KeyDefinitionList"
        let mappings = (0..<count(of: list, most: 10)).map { index in
            let member = "\(list).member.\(index + 1)."
            return ContextProvider.Mapping(
                source: requiredText(member + "SourceKey", length: 1...128, pattern: .contextKey),
                target: text(member + "TargetKey", length: 1...128, pattern: .contextKey))
        }
        let context = ContextProvider(
            mappings: mappings, subjectSourceKey: requiredText(name + "SubjectSourceKey", length: 1...128, pattern: .contextKey),
            subjectTypeValue: text(name + "SubjectTypeValue", length: 0...128),
            subjectTypeSourceKey: text(name + "SubjectTypeSourceKey", length: 1...128, pattern: .contextKey))
        if context.subjectTypeSourceKey != nil, context.subjectTypeValue?.isEmpty == false {
            // Virga's wording.
            refuse(.invalidInput("SubjectTypeValue and SubjectTypeSourceKey cannot both be specified."))
        }
        return context
    }
}

extension QueryParameters.Pattern {
    /// Letters, digits, single spaces and some punctuation.
    fileprivate static let contextKey = Self(
        text: "[A-Za-z0-9_.:/=+\\-@#]+( [A-Za-z0-9_.:/=+\\-@#]+)*",
        accepts: { scalar in
            word.accepts(scalar) || " .:/=+-@#".unicodeScalars.contains(scalar)
        },
        frame: { !$0.hasPrefix(" ") && !$0.hasSuffix(" ") && !$0.contains("  ") })
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
