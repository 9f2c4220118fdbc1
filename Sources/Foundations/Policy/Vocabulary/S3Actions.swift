import WireFormats

/// Every S3 action that policies can name, including actions that Virga does not implement.
/// (Service Authorization Reference, "Actions, resources, and condition keys for Amazon S3", November 2026.)
package enum S3Actions {
    /// The names without prefix, in lowercase.
    package static let names: [String] = table.lowercased().split { $0 == " " || $0 == "\n" }.map(String.init)

    /// Returns whether an action of ``names`` has objects as its resources.
    package static func actsOnObjects(_ name: String) -> Bool {
        if onObjects.contains(name) { return true }
        return name.contains("object") && !name.contains("bucketobjectlock") && !name.contains("objectlambda")
    }

    /// The actions on objects whose names do not show it.
    private static let onObjects: Set = [
        "abortmultipartupload", "bypassgovernanceretention", "initiatereplication", "listmultipartuploadparts", "replicatedelete",
        "replicatetags",
    ]

    private static let table = """
        AbortMultipartUpload AssociateAccessGrantsIdentityCenter BypassGovernanceRetention CreateAccessGrant
        CreateAccessGrantsInstance CreateAccessGrantsLocation CreateAccessPoint CreateAccessPointForObjectLambda
        CreateBucket CreateBucketMetadataTableConfiguration CreateJob CreateMultiRegionAccessPoint
        CreateStorageLensGroup DeleteAccessGrant DeleteAccessGrantsInstance DeleteAccessGrantsInstanceResourcePolicy
        DeleteAccessGrantsLocation DeleteAccessPoint DeleteAccessPointForObjectLambda DeleteAccessPointPolicy
        DeleteAccessPointPolicyForObjectLambda DeleteBucket DeleteBucketMetadataTableConfiguration
        DeleteBucketOwnershipControls DeleteBucketPolicy DeleteBucketWebsite DeleteJobTagging
        DeleteMultiRegionAccessPoint DeleteObject DeleteObjectAnnotation DeleteObjectTagging DeleteObjectVersion
        DeleteObjectVersionAnnotation DeleteObjectVersionTagging DeleteStorageLensConfiguration
        DeleteStorageLensConfigurationTagging DeleteStorageLensGroup DescribeJob DescribeMultiRegionAccessPointOperation
        DissociateAccessGrantsIdentityCenter GetAccelerateConfiguration GetAccessGrant GetAccessGrantsInstance
        GetAccessGrantsInstanceForPrefix GetAccessGrantsInstanceResourcePolicy GetAccessGrantsLocation GetAccessPoint
        GetAccessPointConfigurationForObjectLambda GetAccessPointForObjectLambda GetAccessPointPolicy
        GetAccessPointPolicyForObjectLambda GetAccessPointPolicyStatus GetAccessPointPolicyStatusForObjectLambda
        GetAccountPublicAccessBlock GetAnalyticsConfiguration GetBucketAbac GetBucketAcl GetBucketCORS GetBucketLocation
        GetBucketLogging GetBucketMetadataTableConfiguration GetBucketNotification GetBucketObjectLockConfiguration
        GetBucketOwnershipControls GetBucketPolicy GetBucketPolicyStatus GetBucketPublicAccessBlock
        GetBucketRequestPayment GetBucketTagging GetBucketVersioning GetBucketWebsite GetDataAccess
        GetEncryptionConfiguration GetIntelligentTieringConfiguration GetInventoryConfiguration GetJobTagging
        GetLifecycleConfiguration GetMetricsConfiguration GetMultiRegionAccessPoint GetMultiRegionAccessPointPolicy
        GetMultiRegionAccessPointPolicyStatus GetMultiRegionAccessPointRoutes GetObject GetObjectAcl GetObjectAnnotation
        GetObjectAttributes GetObjectLegalHold GetObjectRetention GetObjectTagging GetObjectTorrent GetObjectVersion
        GetObjectVersionAcl GetObjectVersionAnnotation GetObjectVersionAttributes GetObjectVersionForReplication
        GetObjectVersionTagging GetObjectVersionTorrent GetReplicationConfiguration GetStorageLensConfiguration
        GetStorageLensConfigurationTagging GetStorageLensDashboard GetStorageLensGroup InitiateReplication
        ListAccessGrants ListAccessGrantsInstances ListAccessGrantsLocations ListAccessPoints
        ListAccessPointsForObjectLambda ListAllMyBuckets ListBucket ListBucketMultipartUploads ListBucketVersions
        ListCallerAccessGrants ListJobs ListMultipartUploadParts ListMultiRegionAccessPoints
        ListStorageLensConfigurations ListStorageLensGroups ListTagsForResource ObjectOwnerOverrideToBucketOwner
        PauseReplication PutAccelerateConfiguration PutAccessGrantsInstanceResourcePolicy
        PutAccessPointConfigurationForObjectLambda PutAccessPointPolicy PutAccessPointPolicyForObjectLambda
        PutAccessPointPublicAccessBlock PutAccountPublicAccessBlock PutAnalyticsConfiguration PutBucketAbac PutBucketAcl
        PutBucketCORS PutBucketLogging PutBucketNotification PutBucketObjectLockConfiguration PutBucketOwnershipControls
        PutBucketPolicy PutBucketPublicAccessBlock PutBucketRequestPayment PutBucketTagging PutBucketVersioning
        PutBucketWebsite PutEncryptionConfiguration PutIntelligentTieringConfiguration PutInventoryConfiguration
        PutJobTagging PutLifecycleConfiguration PutMetricsConfiguration PutMultiRegionAccessPointPolicy PutObject
        PutObjectAcl PutObjectAnnotation PutObjectLegalHold PutObjectRetention PutObjectTagging PutObjectVersionAcl
        PutObjectVersionAnnotation PutObjectVersionTagging PutReplicationConfiguration PutStorageLensConfiguration
        PutStorageLensConfigurationTagging ReplicateDelete ReplicateObject ReplicateTags RestoreObject
        SubmitMultiRegionAccessPointRoutes TagResource UntagResource UpdateAccessGrantsLocation
        UpdateBucketMetadataAnnotationTableConfiguration UpdateBucketMetadataInventoryTableConfiguration
        UpdateBucketMetadataJournalTableConfiguration UpdateJobPriority UpdateJobStatus UpdateObjectEncryption
        UpdateStorageLensGroup
        """
}
