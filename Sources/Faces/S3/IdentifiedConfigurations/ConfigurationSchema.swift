import ObjectServing
import WireFormats

/// The published schemas of the configurations of which a bucket can have many.
enum ConfigurationSchema {
    private typealias Content = DocumentSchema.Content
    typealias Member = DocumentSchema.Member

    private static func filter(hasAccessPoints: Bool = false) -> Content {
        var members = [Member("Prefix", .text, .optional), Member("Tag", DocumentSchema.tag, .optional)]
        if hasAccessPoints { members.append(Member("AccessPointArn", .text, .optional)) }
        var several = members
        several[1].occurrence = .any
        return .choice(members + [Member("And", .conjunction(several), .optional)])
    }

    /// The bucket that reports are delivered to, with the members of that kind of report.
    private static func destination(_ members: [Member]) -> Member {
        Member("Destination", .members([Member("S3BucketDestination", .members(members))]))
    }

    static let analytics = [
        Member("Id", .text), Member("Filter", filter(), .optional),
        Member(
            "StorageClassAnalysis",
            .members([
                Member(
                    "DataExport",
                    .members([
                        Member("OutputSchemaVersion", .oneOf(["V_1"])),
                        destination([
                            Member("Format", .oneOf(["CSV"])), Member("BucketAccountId", .text, .optional),
                            Member("Bucket", .text), Member("Prefix", .text, .optional),
                        ]),
                    ]), .optional)
            ])),
    ]

    static let metrics = [Member("Id", .text), Member("Filter", filter(hasAccessPoints: true), .optional)]

    static let intelligentTiering = [
        Member("Id", .text), Member("Filter", filter(), .optional), Member("Status", .oneOf(["Enabled", "Disabled"])),
        Member(
            "Tiering",
            .members([Member("Days", .number), Member("AccessTier", .oneOf(["ARCHIVE_ACCESS", "DEEP_ARCHIVE_ACCESS"]))]), .several),
    ]

    static let inventory = [
        destination([
            Member("AccountId", .text, .optional), Member("Bucket", .text),
            Member("Format", .oneOf(["CSV", "ORC", "Parquet"])), Member("Prefix", .text, .optional),
            Member(
                "Encryption",
                .choice([
                    Member("SSE-S3", .members([]), .optional),
                    Member("SSE-KMS", .members([Member("KeyId", .text)]), .optional),
                ]), .optional),
        ]),
        Member("IsEnabled", .boolean), Member("Filter", .members([Member("Prefix", .text)]), .optional), Member("Id", .text),
        Member("IncludedObjectVersions", .oneOf(["All", "Current"])),
        Member(
            "OptionalFields",
            .members([
                Member(
                    "Field",
                    .oneOf([
                        "Size", "LastModifiedDate", "StorageClass", "ETag", "IsMultipartUploaded", "ReplicationStatus",
                        "EncryptionStatus", "ObjectLockRetainUntilDate", "ObjectLockMode", "ObjectLockLegalHoldStatus",
                        "ObjectLockEventHoldStatus", "ObjectLockEventHoldDuration", "IntelligentTieringAccessTier",
                        "BucketKeyStatus", "ChecksumAlgorithm", "ObjectAccessControlList", "ObjectOwner",
                        "LifecycleExpirationDate", "IntelligentTieringReferenceDate",
                    ]), .any)
            ]), .optional),
        Member("Schedule", .members([Member("Frequency", .oneOf(["Daily", "Weekly"]))])),
    ]
}
