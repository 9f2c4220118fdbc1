import WireFormats

/// The actions that each condition key of S3 applies to. (Service Authorization Reference, "Actions, resources, and condition keys for
/// Amazon S3".)
extension S3ConditionKeys {
    /// Whether the key is a condition key that S3 has, or does not belong to S3.
    /// - Parameter key: as a policy spells it.
    static func isKnown(_ key: String) -> Bool {
        guard let name = nameInTable(key) else { return true }
        return everywhere.contains(name) || actions[name] != nil || elsewhere.contains(name)
    }

    /// Whether requests for an action can have the key.
    /// - Parameters:
    ///   - key: as a policy spells it.
    ///   - action: a name of ``S3Actions``.
    static func applies(_ key: String, to action: String) -> Bool {
        guard let name = nameInTable(key), !everywhere.contains(name) else { return true }
        return actions[name]?.contains(action) == true
    }

    /// Returns the name of a key in the tables, without the key of a tag; `nil` for keys of other services.
    private static func nameInTable(_ key: String) -> String? {
        let key = key.lowercased()
        guard key.hasPrefix("s3:") else { return nil }
        let name = key.dropFirst(3)
        return name.firstIndex(of: "/").map { String(name[...$0]) } ?? String(name)
    }

    /// Keys that requests for every action on buckets and objects have, or can have through an access point.
    private static let everywhere: Set = [
        "accessgrantsinstancearn", "accesspointnetworkorigin", "accesspointtag/", "authtype", "buckettag/", "dataaccesspointaccount",
        "dataaccesspointarn", "resourceaccount", "resourcetag/", "signatureage", "signatureversion", "tlsversion", "x-amz-content-sha256",
    ]

    /// Keys of actions that a bucket policy cannot contain.
    private static let elsewhere: Set = [
        "existingjoboperation", "existingjobpriority", "jobsuspendedcause", "requestjoboperation", "requestjobpriority",
    ]

    private static let actions: [String: Set<String>] = {
        var actions: [String: Set<String>] = [:]
        for row in table.lowercased().split(separator: "\n") {
            let sides = row.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
            for key in sides[0] { actions[key] = Set(sides[1]) }
        }
        return actions
    }()

    /// Keys, a colon, and the actions that have them.
    private static let table = """
        delimiter max-keys prefix: ListBucket ListBucketVersions
        destinationregion: PauseReplication
        existingobjecttag/: DeleteObjectTagging DeleteObjectVersionTagging GetObject GetObjectAcl GetObjectAttributes GetObjectTagging \
        GetObjectVersion GetObjectVersionAcl GetObjectVersionAttributes GetObjectVersionTagging PutObjectAcl PutObjectTagging \
        PutObjectVersionAcl PutObjectVersionTagging
        if-match: DeleteObject PutObject
        if-none-match objectcreationoperation: PutObject
        inventoryaccessibleoptionalfields: PutInventoryConfiguration
        isreplicationpauserequest: PutReplicationConfiguration
        locationconstraint x-amz-bucket-namespace x-amz-object-ownership: CreateBucket
        object-lock-legal-hold: PutObject PutObjectLegalHold
        object-lock-mode object-lock-remaining-retention-days object-lock-retain-until-date: PutObject PutObjectRetention
        requestobjecttag/ requestobjecttagkeys: BypassGovernanceRetention PutObject PutObjectTagging PutObjectVersionTagging
        versionid: DeleteObjectVersion DeleteObjectVersionTagging GetObjectVersion GetObjectVersionAcl GetObjectVersionAttributes \
        GetObjectVersionTagging GetObjectVersionTorrent PutObjectVersionAcl PutObjectVersionTagging
        x-amz-acl x-amz-grant-full-control x-amz-grant-read x-amz-grant-read-acp x-amz-grant-write x-amz-grant-write-acp: \
        BypassGovernanceRetention CreateBucket PutBucketAcl PutObject PutObjectAcl PutObjectVersionAcl
        x-amz-copy-source x-amz-metadata-directive x-amz-website-redirect-location: BypassGovernanceRetention PutObject
        x-amz-server-side-encryption x-amz-server-side-encryption-aws-kms-key-id: BypassGovernanceRetention PutObject ReplicateObject \
        UpdateObjectEncryption
        x-amz-server-side-encryption-customer-algorithm: BypassGovernanceRetention PutObject ReplicateObject
        x-amz-storage-class: BypassGovernanceRetention PutObject PutObjectAcl PutObjectVersionAcl
        """
}
