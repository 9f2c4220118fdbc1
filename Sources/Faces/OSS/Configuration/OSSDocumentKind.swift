import Cloud
import ObjectServing
import ObjectStore
import WireFormats

/// A kind of configuration of which a bucket has at most one. It is put, returned and deleted as a whole.
/// (OSS API Reference, "Bucket operations".)
///
/// To add a kind, add a case, its row in ``descriptor``, its actions, and its case of `BucketDocument`.
enum OSSDocumentKind: String, Hashable, Sendable, CaseIterable {
    // The raw value is the sub-resource.
    case accessMonitor = "accessmonitor"
    case archiveDirectRead = "bucketArchiveDirectRead"
    case callbackPolicy
    case encryption
    case httpsConfig
    case logging
    case objectWorm
    case overwriteConfig
    case referer
    case resourceGroup
    case storageCapacity = "qos"
    case transferAcceleration
    case userDefinedLogFieldsConfig
    case website

    /// The properties of a kind.
    struct Descriptor: Sendable {
        /// The name in the names of operations.
        var name: String
        /// The actions that read, replace and delete it; without the last one, no operation deletes it.
        var actions: (get: OSSAction, put: OSSAction, delete: OSSAction?)
        var document: BucketDocument
        var root: String
        var missing: Missing
        /// The published schema of the elements in the root.
        var schema: [DocumentSchema.Member]
        /// Rejects documents that the schema allows and the service does not.
        var check: Check = { element, _, _ in element }
        /// Whether the configuration enables Object Lock for the bucket.
        var locksObjects = false
    }

    /// The response if a bucket has no configuration of the kind.
    enum Missing {
        /// The default content of the root element, as XML.
        case standard(String)
        case error(OSSError.Code)
    }

    /// Checks a document.
    /// - Returns: the document to store, which can contain more than the one in the request.
    typealias Check = @Sendable (XMLElement, Bucket, OSSRequest) throws(OSSError) -> XMLElement

    /// The properties of this kind.
    var descriptor: Descriptor {
        switch self {
        case .accessMonitor:
            Descriptor(
                name: "BucketAccessMonitor", actions: (.getBucketAccessMonitor, .putBucketAccessMonitor, nil),
                document: .ossAccessMonitor, root: "AccessMonitorConfiguration", missing: .standard("<Status>Disabled</Status>"),
                schema: OSSSchema.accessMonitor)
        case .archiveDirectRead:
            Descriptor(
                name: "BucketArchiveDirectRead", actions: (.getBucketArchiveDirectRead, .putBucketArchiveDirectRead, nil),
                document: .ossArchiveDirectRead, root: "ArchiveDirectReadConfiguration", missing: .standard("<Enabled>false</Enabled>"),
                schema: OSSSchema.enabled)
        case .callbackPolicy:
            Descriptor(
                name: "BucketCallbackPolicy",
                actions: (.getBucketCallbackPolicy, .putBucketCallbackPolicy, .deleteBucketCallbackPolicy),
                document: .ossCallbackPolicy, root: "BucketCallbackPolicy", missing: .error(.bucketCallbackPolicyNotExist),
                schema: OSSSchema.callbackPolicy)
        case .encryption:
            Descriptor(
                name: "BucketEncryption", actions: (.getBucketEncryption, .putBucketEncryption, .deleteBucketEncryption),
                document: .ossEncryption, root: "ServerSideEncryptionRule", missing: .error(.noSuchServerSideEncryptionRule),
                schema: OSSSchema.encryption, check: Self.checkEncryption)
        case .httpsConfig:
            Descriptor(
                name: "BucketHttpsConfig", actions: (.getBucketHttpsConfig, .putBucketHttpsConfig, nil),
                document: .ossHTTPSConfig, root: "HttpsConfiguration", missing: .standard("<TLS><Enable>false</Enable></TLS>"),
                schema: OSSSchema.https, check: Self.checkHTTPS)
        case .logging:
            Descriptor(
                name: "BucketLogging", actions: (.getBucketLogging, .putBucketLogging, .deleteBucketLogging),
                document: .ossLogging, root: "BucketLoggingStatus", missing: .standard(""), schema: OSSSchema.logging,
                check: Self.checkLogging)
        case .objectWorm:
            Descriptor(
                name: "BucketObjectWormConfiguration",
                actions: (.getBucketObjectWormConfiguration, .putBucketObjectWormConfiguration, nil),
                document: .ossObjectWorm, root: "ObjectWormConfiguration", missing: .error(.noSuchObjectWormConfiguration),
                schema: OSSSchema.objectWorm, check: Self.checkObjectWorm, locksObjects: true)
        case .overwriteConfig:
            Descriptor(
                name: "BucketOverwriteConfig",
                actions: (.getBucketOverwriteConfig, .putBucketOverwriteConfig, .deleteBucketOverwriteConfig),
                document: .ossOverwrite, root: "OverwriteConfiguration", missing: .error(.noSuchBucketOverwriteConfig),
                schema: OSSSchema.overwrite)
        case .referer:
            Descriptor(
                name: "BucketReferer", actions: (.getBucketReferer, .putBucketReferer, nil),
                document: .ossReferer, root: "RefererConfiguration",
                missing: .standard(
                    "<AllowEmptyReferer>true</AllowEmptyReferer><AllowTruncateQueryString>true</AllowTruncateQueryString>"
                        + "<TruncatePath>false</TruncatePath><RefererList></RefererList>"),
                schema: OSSSchema.referer, check: Self.checkReferer)
        case .resourceGroup:
            Descriptor(
                name: "BucketResourceGroup", actions: (.getBucketResourceGroup, .putBucketResourceGroup, nil),
                document: .ossResourceGroup, root: "BucketResourceGroupConfiguration",
                missing: .standard("<ResourceGroupId>\(Self.defaultResourceGroup)</ResourceGroupId>"),
                schema: [DocumentSchema.Member("ResourceGroupId", .text)], check: Self.checkResourceGroup)
        case .storageCapacity:
            Descriptor(
                name: "BucketStorageCapacity", actions: (.getBucketStorageCapacity, .putBucketStorageCapacity, nil),
                document: .ossStorageCapacity, root: "BucketUserQos", missing: .standard("<StorageCapacity>-1</StorageCapacity>"),
                schema: [DocumentSchema.Member("StorageCapacity", .number)], check: Self.checkStorageCapacity)
        case .transferAcceleration:
            Descriptor(
                name: "BucketTransferAcceleration", actions: (.getBucketTransferAcceleration, .putBucketTransferAcceleration, nil),
                document: .ossTransferAcceleration, root: "TransferAccelerationConfiguration",
                missing: .error(.noSuchTransferAccelerationConfiguration), schema: OSSSchema.enabled)
        case .userDefinedLogFieldsConfig:
            Descriptor(
                name: "UserDefinedLogFieldsConfig",
                actions: (.getUserDefinedLogFieldsConfig, .putUserDefinedLogFieldsConfig, .deleteUserDefinedLogFieldsConfig),
                document: .ossUserDefinedLogFields, root: "UserDefinedLogFieldsConfiguration",
                missing: .error(.noSuchUserDefinedLogFieldsConfig), schema: OSSSchema.userDefinedLogFields)
        case .website:
            Descriptor(
                name: "BucketWebsite", actions: (.getBucketWebsite, .putBucketWebsite, .deleteBucketWebsite),
                document: .ossWebsite, root: "WebsiteConfiguration", missing: .error(.noSuchWebsiteConfiguration),
                schema: OSSSchema.website, check: Self.checkWebsite)
        }
    }
}
