import ObjectServing

// The published schema of the document. (S3 API Reference, PutBucketLifecycleConfiguration.)

extension LifecycleConfiguration {
    private typealias Member = DocumentSchema.Member

    static let schema: [DocumentSchema.Member] = [Member("Rule", .members(rule), .several)]

    private static let rule = [
        Member("ID", .text, .optional), Member("Prefix", .text, .optional), Member("Status", .oneOf(["Enabled", "Disabled"])),
        Member(
            "Filter", .members(conditions(tags: .optional) + [Member("And", .conjunction(conditions(tags: .any)), .optional)]), .optional),
        Member(
            "Expiration",
            .choice([
                Member("Date", .text, .optional), Member("Days", .number, .optional),
                Member("ExpiredObjectDeleteMarker", .boolean, .optional),
            ]), .optional),
        Member(
            "Transition",
            .members([Member("Date", .text, .optional), Member("Days", .number, .optional), Member("StorageClass", .text)]), .any),
        Member(
            "NoncurrentVersionTransition",
            .members([
                Member("NoncurrentDays", .number), Member("NewerNoncurrentVersions", .number, .optional), Member("StorageClass", .text),
            ]), .any),
        Member(
            "NoncurrentVersionExpiration",
            .members([Member("NoncurrentDays", .number), Member("NewerNoncurrentVersions", .number, .optional)]), .optional),
        Member("AbortIncompleteMultipartUpload", .members([Member("DaysAfterInitiation", .number)]), .optional),
    ]

    private static func conditions(tags: DocumentSchema.Occurrence) -> [DocumentSchema.Member] {
        [
            Member("Prefix", .text, .optional), Member("Tag", DocumentSchema.tag, tags),
            Member("ObjectSizeGreaterThan", .number, .optional), Member("ObjectSizeLessThan", .number, .optional),
        ]
    }
}
