import Cloud
import ObjectServing
import ObjectStore

/// A configuration of which a bucket has at most one, and which is put, returned and deleted as a whole.
/// (OSS API Reference, "Bucket operations".)
enum OSSDocumentKind: String, Hashable, Sendable {
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

    /// The name in operations and actions.
    var name: String {
        switch self {
        case .accessMonitor: "BucketAccessMonitor"
        case .archiveDirectRead: "BucketArchiveDirectRead"
        case .callbackPolicy: "BucketCallbackPolicy"
        case .encryption: "BucketEncryption"
        case .httpsConfig: "BucketHttpsConfig"
        case .logging: "BucketLogging"
        case .objectWorm: "BucketObjectWormConfiguration"
        case .overwriteConfig: "BucketOverwriteConfig"
        case .referer: "BucketReferer"
        case .resourceGroup: "BucketResourceGroup"
        case .storageCapacity: "BucketStorageCapacity"
        case .transferAcceleration: "BucketTransferAcceleration"
        case .userDefinedLogFieldsConfig: "UserDefinedLogFieldsConfig"
        case .website: "BucketWebsite"
        }
    }

    var document: BucketDocument {
        switch self {
        case .accessMonitor: .ossAccessMonitor
        case .archiveDirectRead: .ossArchiveDirectRead
        case .callbackPolicy: .ossCallbackPolicy
        case .encryption: .ossEncryption
        case .httpsConfig: .ossHTTPSConfig
        case .logging: .ossLogging
        case .objectWorm: .ossObjectWorm
        case .overwriteConfig: .ossOverwrite
        case .referer: .ossReferer
        case .resourceGroup: .ossResourceGroup
        case .storageCapacity: .ossStorageCapacity
        case .transferAcceleration: .ossTransferAcceleration
        case .userDefinedLogFieldsConfig: .ossUserDefinedLogFields
        case .website: .ossWebsite
        }
    }

    var root: String {
        switch self {
        case .accessMonitor: "AccessMonitorConfiguration"
        case .archiveDirectRead: "ArchiveDirectReadConfiguration"
        case .callbackPolicy: "BucketCallbackPolicy"
        case .encryption: "ServerSideEncryptionRule"
        case .httpsConfig: "HttpsConfiguration"
        case .logging: "BucketLoggingStatus"
        case .objectWorm: "ObjectWormConfiguration"
        case .overwriteConfig: "OverwriteConfiguration"
        case .referer: "RefererConfiguration"
        case .resourceGroup: "BucketResourceGroupConfiguration"
        case .storageCapacity: "BucketUserQos"
        case .transferAcceleration: "TransferAccelerationConfiguration"
        case .userDefinedLogFieldsConfig: "UserDefinedLogFieldsConfiguration"
        case .website: "WebsiteConfiguration"
        }
    }

    /// The response if a bucket has no configuration of the kind.
    enum Missing {
        /// The default content of the root element, as XML.
        case standard(String)
        case error(OSSError.Code)
    }

    var missing: Missing {
        switch self {
        case .accessMonitor: .standard("<Status>Disabled</Status>")
        case .archiveDirectRead: .standard("<Enabled>false</Enabled>")
        case .callbackPolicy: .error(.bucketCallbackPolicyNotExist)
        case .encryption: .error(.noSuchServerSideEncryptionRule)
        case .httpsConfig: .standard("<TLS><Enable>false</Enable></TLS>")
        case .logging: .standard("")
        case .objectWorm: .error(.noSuchObjectWormConfiguration)
        case .overwriteConfig: .error(.noSuchBucketOverwriteConfig)
        case .referer:
            .standard(
                "<AllowEmptyReferer>true</AllowEmptyReferer><AllowTruncateQueryString>true</AllowTruncateQueryString>"
                    + "<TruncatePath>false</TruncatePath><RefererList></RefererList>")
        case .resourceGroup: .standard("<ResourceGroupId>\(Self.defaultResourceGroup)</ResourceGroupId>")
        case .storageCapacity: .standard("<StorageCapacity>-1</StorageCapacity>")
        case .transferAcceleration: .error(.noSuchTransferAccelerationConfiguration)
        case .userDefinedLogFieldsConfig: .error(.noSuchUserDefinedLogFieldsConfig)
        case .website: .error(.noSuchWebsiteConfiguration)
        }
    }

    /// The resource group of buckets that have not been moved to another one.
    static let defaultResourceGroup = "rg-acfmy7mo47b3adq"

    /// Whether there is an operation to delete the configuration.
    var canBeDeleted: Bool {
        switch self {
        case .accessMonitor, .archiveDirectRead, .httpsConfig, .objectWorm, .referer, .resourceGroup, .storageCapacity,
            .transferAcceleration:
            false
        case .callbackPolicy, .encryption, .logging, .overwriteConfig, .userDefinedLogFieldsConfig, .website: true
        }
    }

    /// The content of the root element in the published schema.
    var schema: [DocumentSchema.Member] {
        switch self {
        case .accessMonitor: OSSSchema.accessMonitor
        case .archiveDirectRead, .transferAcceleration: OSSSchema.enabled
        case .callbackPolicy: OSSSchema.callbackPolicy
        case .encryption: OSSSchema.encryption
        case .httpsConfig: OSSSchema.https
        case .logging: OSSSchema.logging
        case .objectWorm: OSSSchema.objectWorm
        case .overwriteConfig: OSSSchema.overwrite
        case .referer: OSSSchema.referer
        case .resourceGroup: [DocumentSchema.Member("ResourceGroupId", .text)]
        case .storageCapacity: [DocumentSchema.Member("StorageCapacity", .number)]
        case .userDefinedLogFieldsConfig: OSSSchema.userDefinedLogFields
        case .website: OSSSchema.website
        }
    }
}

/// A configuration of which a bucket can have many.
enum OSSNamedKind: String, Hashable, Sendable {
    // The raw value is the sub-resource.
    case inventory
    case style

    /// The name in operations and actions.
    var name: String {
        switch self {
        case .inventory: "BucketInventory"
        case .style: "Style"
        }
    }

    var document: BucketDocument {
        switch self {
        case .inventory: .ossInventory
        case .style: .ossStyle
        }
    }

    var root: String {
        switch self {
        case .inventory: "InventoryConfiguration"
        case .style: "Style"
        }
    }

    /// The query parameter with the configuration's name.
    var parameter: String {
        switch self {
        case .inventory: "inventoryId"
        case .style: "styleName"
        }
    }

    /// The element with the configuration's name.
    var nameElement: String {
        switch self {
        case .inventory: "Id"
        case .style: "Name"
        }
    }

    var missing: OSSError.Code {
        switch self {
        case .inventory: .noSuchInventory
        case .style: .noSuchStyle
        }
    }

    /// The maximum number of configurations in a bucket. (OSS User Guide, "Bucket inventory", "Usage notes"; "Image styles".)
    var limit: Int {
        switch self {
        case .inventory: 1000
        case .style: 50
        }
    }

    var schema: [DocumentSchema.Member] {
        switch self {
        case .inventory: OSSSchema.inventory
        case .style: [DocumentSchema.Member("Content", .text)]
        }
    }
}
