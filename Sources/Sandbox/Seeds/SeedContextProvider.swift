import Directory
import WireFormats

extension ContextProvider {
    /// What sessions take over from the tokens of an OpenID Connect provider as their trusted context, in seeds.
    static let record = SeedRecord<ContextProvider>(
        "Context provider",
        blank: ContextProvider(mappings: [], subjectSourceKey: "", subjectTypeValue: nil, subjectTypeSourceKey: nil),
        fields: [
            .required("subjectSourceKey", \.subjectSourceKey, key, "The claim with the subject."),
            .optional("subjectTypeValue", \.subjectTypeValue, subjectType, "The type of all subjects."),
            .optional(
                "subjectTypeSourceKey", \.subjectTypeSourceKey, key,
                "The claim with the type of the subject, in place of subjectTypeValue."),
            .defaulted("keyDefinitions", \.mappings, Codec.list(Mapping.record), "Further claims, at most ten."),
        ]
    ) { context, members in
        if context.mappings.count > mostMappings {
            try members.refuse(FieldName("keyDefinitions"), expecting: "at most \(mostMappings) keys")
        }
        if context.hasTwoSubjectTypes {
            try members.refuse(
                FieldName("subjectTypeSourceKey"), expecting: "either subjectTypeValue or subjectTypeSourceKey, not both")
        }
    }

    private static let subjectType = Codec.form(.text, expecting: "at most 128 characters") { isSubjectType($0) }

    /// The name of a claim or of a key of the context.
    fileprivate static let key = Codec.form(
        .pattern("^[A-Za-z0-9_.:/=+@#-]+( [A-Za-z0-9_.:/=+@#-]+)*$"),
        expecting: "1 to 128 letters, digits, single spaces and _.:/=+-@#"
    ) { isKey($0) }
}

extension ContextProvider.Mapping {
    fileprivate static let record = SeedRecord<ContextProvider.Mapping>(
        "Key definition", blank: ContextProvider.Mapping(source: "", target: nil),
        fields: [
            .required("sourceKey", \.source, ContextProvider.key, "The claim."),
            .optional("targetKey", \.target, ContextProvider.key, "The key of the context; the name of the claim by default."),
        ])
}
