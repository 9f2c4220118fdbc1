import WireFormats

/// What may stand inside the element of a configuration, as the published schema has it.
enum ConfigurationSchema {
    struct Member: Sendable {
        var name: String
        var occurrence: Occurrence
        var content: Content

        init(_ name: String, _ content: Content, _ occurrence: Occurrence = .once) {
            self.name = name
            self.content = content
            self.occurrence = occurrence
        }
    }

    enum Occurrence: Sendable {
        case once
        case optional
        case several
        case any
    }

    indirect enum Content: Sendable {
        case text
        case oneOf([String])
        case boolean
        case number
        case members([Member])
        /// Exactly one of them.
        case choice([Member])
        /// Two of them at least.
        case conjunction([Member])
    }

    /// Refuses an element that does not follow.
    /// - Throws: `MalformedXML`.
    static func check(_ element: XMLElement, has content: Content) throws(S3Error) {
        let isHeld: Bool
        switch content {
        case .text: isHeld = element.children.isEmpty
        case .oneOf(let values): isHeld = element.children.isEmpty && values.contains(element.text.trimmed)
        case .boolean: isHeld = element.children.isEmpty && ["true", "false"].contains(element.text.trimmed)
        case .number: isHeld = element.children.isEmpty && Int64(element.text.trimmed) != nil
        case .members(let members):
            try check(element, members)
            isHeld = true
        case .choice(let members):
            try check(element, members)
            isHeld = element.children.count == 1
        case .conjunction(let members):
            try check(element, members)
            isHeld = element.children.count >= 2
        }
        guard isHeld else { throw S3Error(.malformedXML) }
    }

    private static func check(_ element: XMLElement, _ members: [Member]) throws(S3Error) {
        try element.allow(only: Set(members.map(\.name)))
        for member in members {
            let found = element.children(named: member.name)
            let isHeld =
                switch member.occurrence {
                case .once: found.count == 1
                case .optional: found.count <= 1
                case .several: !found.isEmpty
                case .any: true
                }
            guard isHeld else { throw S3Error(.malformedXML) }
            for child in found { try check(child, has: member.content) }
        }
    }
}

extension ConfigurationSchema {
    private static let tag = Content.members([Member("Key", .text), Member("Value", .text)])

    private static func filter(hasAccessPoints: Bool = false) -> Content {
        var members = [Member("Prefix", .text, .optional), Member("Tag", tag, .optional)]
        if hasAccessPoints { members.append(Member("AccessPointArn", .text, .optional)) }
        var several = members
        several[1].occurrence = .any
        return .choice(members + [Member("And", .conjunction(several), .optional)])
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
                        Member(
                            "Destination",
                            .members([
                                Member(
                                    "S3BucketDestination",
                                    .members([
                                        Member("Format", .oneOf(["CSV"])), Member("BucketAccountId", .text, .optional),
                                        Member("Bucket", .text), Member("Prefix", .text, .optional),
                                    ]))
                            ])),
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
        Member(
            "Destination",
            .members([
                Member(
                    "S3BucketDestination",
                    .members([
                        Member("AccountId", .text, .optional), Member("Bucket", .text),
                        Member("Format", .oneOf(["CSV", "ORC", "Parquet"])), Member("Prefix", .text, .optional),
                        Member(
                            "Encryption",
                            .choice([
                                Member("SSE-S3", .members([]), .optional),
                                Member("SSE-KMS", .members([Member("KeyId", .text)]), .optional),
                            ]), .optional),
                    ]))
            ])),
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
