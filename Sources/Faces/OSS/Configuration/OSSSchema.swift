import ObjectServing

/// The published schemas of the configurations that are stored as they were put. (OSS API Reference, "Bucket operations".)
enum OSSSchema {
    private typealias Member = DocumentSchema.Member
    private typealias Content = DocumentSchema.Content

    static let accessMonitor = [
        DocumentSchema.Member("Status", .oneOf(["Enabled", "Disabled"])), Member("AllowCopy", .boolean, .optional),
    ]

    static let enabled = [DocumentSchema.Member("Enabled", .boolean)]

    static let callbackPolicy = [
        DocumentSchema.Member(
            "PolicyItem",
            .members([Member("PolicyName", .text), Member("Callback", .text), Member("CallbackVar", .text, .optional)]), .any)
    ]

    static let encryption = [
        DocumentSchema.Member(
            "ApplyServerSideEncryptionByDefault",
            .members([
                Member("SSEAlgorithm", .text), Member("KMSMasterKeyID", .text, .optional),
                Member("KMSDataEncryption", .text, .optional),
            ]))
    ]

    static let https = [
        DocumentSchema.Member(
            "TLS",
            .members([
                Member("Enable", .boolean), Member("TLSVersion", .oneOf(["TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3"]), .any),
            ]), .optional),
        Member(
            "CipherSuite",
            .members([
                Member("Enable", .boolean), Member("StrongCipherSuite", .boolean, .optional), Member("CustomCipherSuite", .text, .any),
                Member("TLS13CustomCipherSuite", .text, .any),
            ]), .optional),
    ]

    static let logging = [
        DocumentSchema.Member(
            "LoggingEnabled",
            .members([
                Member("TargetBucket", .text), Member("TargetPrefix", .text, .optional), Member("LoggingRole", .text, .optional),
            ]),
            .optional)
    ]

    static let objectWorm = [
        DocumentSchema.Member("ObjectWormEnabled", .oneOf(["Enabled"])),
        Member(
            "Rule",
            .members([
                Member(
                    "DefaultRetention",
                    .members([
                        Member("Mode", .oneOf(["GOVERNANCE", "COMPLIANCE"])), Member("Days", .number, .optional),
                        Member("Years", .number, .optional),
                    ]))
            ]), .optional),
    ]

    static let overwrite = [
        DocumentSchema.Member(
            "Rule",
            .members([
                Member("ID", .text, .optional), Member("Action", .oneOf(["forbid"])), Member("Prefix", .text, .optional),
                Member("Suffix", .text, .optional),
                Member("Principals", .members([Member("Principal", .text, .any)]), .optional),
            ]), .several)
    ]

    private static let referers = Content.members([Member("Referer", .text, .any)])

    static let referer = [
        DocumentSchema.Member("AllowEmptyReferer", .boolean), Member("AllowTruncateQueryString", .boolean, .optional),
        Member("TruncatePath", .boolean, .optional), Member("RefererList", referers),
        Member("RefererBlacklist", referers, .optional),
    ]

    static let userDefinedLogFields = [
        DocumentSchema.Member("HeaderSet", .members([Member("header", .text, .any)]), .optional),
        Member("ParamSet", .members([Member("parameter", .text, .any)]), .optional),
    ]

    static let inventory = [
        DocumentSchema.Member("Id", .text), Member("IsEnabled", .boolean),
        Member(
            "Filter",
            .members([
                Member("Prefix", .text, .optional), Member("LastModifyBeginTimeStamp", .number, .optional),
                Member("LastModifyEndTimeStamp", .number, .optional), Member("LowerSizeBound", .number, .optional),
                Member("UpperSizeBound", .number, .optional), Member("StorageClass", .text, .optional),
            ]), .optional),
        Member(
            "Destination",
            .members([
                Member(
                    "OSSBucketDestination",
                    .members([
                        Member("Format", .oneOf(["CSV", "Parquet"])), Member("AccountId", .text), Member("RoleArn", .text),
                        Member("Bucket", .text), Member("Prefix", .text, .optional),
                        Member(
                            "Encryption",
                            .members([
                                Member("SSE-OSS", .text, .optional),
                                Member("SSE-KMS", .members([Member("KeyId", .text)]), .optional),
                            ]), .optional),
                    ]))
            ])),
        Member(
            "Schedule",
            .members([
                Member("Frequency", .oneOf(["Daily", "Weekly", "Monthly"])), Member("DayOfMonth", .number, .optional),
                Member("AutoDelete", .boolean, .optional),
            ])),
        Member("IncludedObjectVersions", .oneOf(["All", "Current"])),
        Member("OptionalFields", .members([Member("Field", .text, .any)]), .optional),
        Member(
            "IncrementalInventory",
            .members([
                Member("IsEnabled", .boolean), Member("Schedule", .members([Member("Frequency", .number)])),
                Member("OptionalFields", .members([Member("Field", .text, .any)]), .optional),
            ]), .optional),
    ]
}

extension OSSSchema {
    private static let mirrorHeaders = Content.members([
        Member("PassAll", .boolean, .optional), Member("Pass", .text, .any), Member("Remove", .text, .any),
        Member("Set", .members([Member("Key", .text), Member("Value", .text)]), .any),
    ])

    private static let condition = Content.members([
        Member("KeyPrefixEquals", .text, .optional), Member("KeySuffixEquals", .text, .optional),
        Member("HttpErrorCodeReturnedEquals", .number, .optional),
        Member(
            "IncludeHeader",
            .members([
                Member("Key", .text), Member("Equals", .text, .optional), Member("StartsWith", .text, .optional),
                Member("EndsWith", .text, .optional),
            ]), .any),
    ])

    private static let multiAlternates = Content.members([
        Member(
            "MirrorMultiAlternate",
            .members([
                Member("MirrorMultiAlternateNumber", .number), Member("MirrorMultiAlternateURL", .text),
                Member("MirrorMultiAlternateVpcId", .text, .optional), Member("MirrorMultiAlternateDstRegion", .text, .optional),
            ]), .any)
    ])

    private static let taggings = Content.members([
        Member("Taggings", .members([Member("Key", .text), Member("Value", .text)]), .any)
    ])

    private static let returnHeaders = Content.members([
        Member("ReturnHeader", .members([Member("Key", .text), Member("Value", .text)]), .any)
    ])

    private static let authentication = Content.members([
        Member("AuthType", .text, .optional), Member("Region", .text, .optional), Member("AccessKeyId", .text, .optional),
        Member("AccessKeySecret", .text, .optional),
    ])

    private static let redirect = Content.members(
        [
            Member("RedirectType", .oneOf(["Mirror", "External", "AliCDN", "Internal"])),
            Member("MirrorHeaders", mirrorHeaders, .optional), Member("MirrorMultiAlternates", multiAlternates, .optional),
            Member("MirrorTaggings", taggings, .optional), Member("MirrorReturnHeaders", returnHeaders, .optional),
            Member("MirrorAuth", authentication, .optional), Member("HttpRedirectCode", .number, .optional),
        ]
            + [
                "PassQueryString", "MirrorPassQueryString", "MirrorFollowRedirect", "MirrorCheckMd5", "EnableReplacePrefix",
                "MirrorSNI", "MirrorAllowGetImageInfo", "MirrorAllowVideoSnapshot", "MirrorUsingRole", "MirrorIsExpressTunnel",
                "MirrorAllowHeadObject", "MirrorProxyPass", "MirrorPassOriginalSlashes", "MirrorUserLastModified",
                "MirrorSwitchAllErrors", "MirrorSaveOssMeta", "TransparentMirrorPassAll",
            ].map { Member($0, .boolean, .optional) }
            + [
                "MirrorURL", "MirrorURLSlave", "MirrorURLProbe", "Protocol", "HostName", "ReplaceKeyPrefixWith", "ReplaceKeyWith",
                "TransparentMirrorResponseCodes", "MirrorAsyncStatus", "MirrorDstRegion", "MirrorDstVpcId", "MirrorDstSlaveVpcId",
                "MirrorTunnelId", "MirrorRole", "MirrorTransparentResponseCodes",
            ].map { Member($0, .text, .optional) })

    static let website = [
        DocumentSchema.Member(
            "IndexDocument",
            .members([
                Member("Suffix", .text), Member("SupportSubDir", .boolean, .optional),
                Member("Type", .oneOf(["0", "1", "2"]), .optional),
            ]), .optional),
        Member("ErrorDocument", .members([Member("Key", .text), Member("HttpStatus", .number, .optional)]), .optional),
        Member(
            "RoutingRules",
            .members([
                Member(
                    "RoutingRule",
                    .members([
                        Member("RuleNumber", .number), Member("Condition", condition, .optional),
                        Member("Redirect", redirect, .optional),
                        Member("LuaConfig", .members([Member("Script", .text)]), .optional),
                    ]), .any)
            ]), .optional),
    ]
}
