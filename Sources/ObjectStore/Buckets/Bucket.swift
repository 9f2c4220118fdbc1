package import Policy
package import WireFormats

/// A container of objects: its name is unique in the sandbox, and it belongs to one account.
package struct Bucket: Hashable, Sendable, Identifiable {
    /// Never given to another bucket, so a request that still holds a deleted bucket cannot reach its successor.
    package struct ID: Hashable, Sendable {
        let number: Int64
    }

    /// The number of the bucket, which is never used again.
    package let id: ID
    /// The name.
    package let name: String
    /// The account that owns the bucket and, unless a policy says otherwise, everything in it.
    package private(set) var account: String
    /// The account that the store has as the owner, whichever door shows the bucket.
    package let owner: String
    /// The location constraint as the creator gave it; may be empty.
    package let region: String
    /// When it was created.
    package let created: Timestamp
    /// Its settings and documents.
    package internal(set) var configuration: BucketConfiguration
    /// Changes with every change of the configuration: what somebody derived from an earlier one is out of date.
    package internal(set) var revision: Int64

    /// The bucket policy as its JSON text, byte for byte as it was put; nil when there is none.
    package var policy: String? { configuration.documents[.policy] }

    init(
        id: ID, name: String, account: String, region: String, created: Timestamp, configuration: BucketConfiguration, revision: Int64
    ) {
        self.id = id
        self.name = name
        self.account = account
        owner = account
        self.region = region
        self.created = created
        self.configuration = configuration
        self.revision = revision
    }

    /// The bucket as a vendor's door shows it, owned by an account there; `nil` if that door does not show it.
    package func shown(by vendor: Vendor) -> Bucket? {
        if Vendor(account: account) == vendor { return self }
        if Vendor(account: owner) == vendor { return shownToOwner }
        guard let partner = configuration.documents[.sharedWith], Vendor(account: partner) == vendor else { return nil }
        var bucket = self
        bucket.account = partner
        return bucket
    }

    /// The bucket as the cloud of its owner shows it.
    package var shownToOwner: Bucket {
        guard account != owner else { return self }
        var bucket = self
        bucket.account = owner
        return bucket
    }

    /// Whether the doors of both vendors show the bucket.
    package var isShared: Bool { configuration.documents[.sharedWith] != nil }

    /// Whom this door names as the owner of what is in the bucket: what came in by the other door is the bucket's owner's.
    /// - Parameter account: as the record has it.
    package func shownOwner(_ account: String) -> String {
        account == Vendor.anonymous || Vendor(account: account) == Vendor(account: self.account) ? account : self.account
    }
}

/// Everything of a bucket that its owner can change. It is small, in memory, and replaced as a whole.
package struct BucketConfiguration: Hashable, Sendable {
    /// Whether the bucket keeps versions.
    package var versioning = Versioning.never
    /// Whether objects may be locked; once true it stays.
    package var hasObjectLock = false
    /// Nil once the owner has removed the setting.
    package var ownership: ObjectOwnership?
    /// Nil once the owner has removed the setting.
    package var publicAccessBlock: PublicAccessBlock?
    /// Nil where nobody but the owner has a grant.
    package var accessControl: AccessControlList?
    /// The rest, in the words of its dialect.
    package var documents: [BucketDocument: String] = [:]

    package init() {}

    /// What a new bucket has today: no lists of access control, no public access. (S3 User Guide, "Default settings
    /// for new S3 buckets", April 2023.)
    package static let modern: BucketConfiguration = {
        var configuration = BucketConfiguration()
        configuration.ownership = .bucketOwnerEnforced
        configuration.publicAccessBlock = .all
        return configuration
    }()

    /// What a new bucket had before: lists of access control in force, nothing blocked.
    package static let legacy = BucketConfiguration()
}

/// A configuration that is kept as the text its face made of it, checked, and read by that face alone.
/// Raw values are stored: never change one.
package enum BucketDocument: String, Hashable, Sendable, CaseIterable {
    case accelerate
    case analytics
    case cors
    case encryption
    case intelligentTiering
    case inventory
    case lifecycle
    case logging
    case metrics
    /// What S3 tells of deletion with multi-factor authentication, where it was told of it.
    case mfaDelete
    case notification
    case objectLock
    case ossAccessMonitor
    case ossArchiveDirectRead
    case ossCallbackPolicy
    /// What proves whose a host is that OSS is to find the bucket under.
    case ossCnameTokens
    /// The rules of OSS for pages of other origins; S3's are ``cors``.
    case ossCORS
    /// `ZRS`, where the data is not kept in one zone.
    case ossDataRedundancy
    case ossEncryption
    case ossHTTPSConfig
    /// The hosts under which OSS finds the bucket beside its own: a list of names in JSON.
    case ossHosts
    case ossInventory
    /// The lifecycle rules of OSS; S3's are ``lifecycle``.
    case ossLifecycle
    case ossLogging
    /// The retention of new objects.
    case ossObjectWorm
    case ossOverwrite
    /// The bucket policy of OSS, in the dialect of RAM; S3's is ``policy``.
    case ossPolicy
    /// Whether OSS lets nobody make the bucket public; S3 has settings of its own.
    case ossPublicAccessBlock
    case ossReferer
    case ossResourceGroup
    /// Gigabytes that the bucket may hold.
    case ossStorageCapacity
    /// The storage class of new objects in OSS's words, where it is not `Standard`.
    case ossStorageClass
    /// Styles for images.
    case ossStyle
    case ossTransferAcceleration
    case ossUserDefinedLogFields
    /// The website of OSS; S3's is ``website``.
    case ossWebsite
    /// The retention of the whole bucket.
    case ossWorm
    case policy
    /// There where the policy shuts even the owner's root user out from itself.
    case policyLock
    case replication
    case requestPayment
    /// The account at the other vendor whose door shows the bucket as well.
    case sharedWith
    case tagging
    case website
}

/// Who owns what others upload, and whether lists of access control count.
/// (S3 User Guide, "Controlling ownership of objects and disabling ACLs".)
package enum ObjectOwnership: String, Hashable, Sendable {
    case bucketOwnerEnforced = "BucketOwnerEnforced"
    case bucketOwnerPreferred = "BucketOwnerPreferred"
    case objectWriter = "ObjectWriter"
}

/// Which ways to make a bucket public are blocked. (S3 User Guide, "Blocking public access".)
package struct PublicAccessBlock: OptionSet, Hashable, Sendable {
    /// One bit for each setting.
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// `BlockPublicAcls`: refuses new public lists.
    package static let blocksPublicACLs = PublicAccessBlock(rawValue: 1)
    /// `IgnorePublicAcls`: lets public grants count for nothing.
    package static let ignoresPublicACLs = PublicAccessBlock(rawValue: 2)
    /// `BlockPublicPolicy`: refuses new public policies.
    package static let blocksPublicPolicy = PublicAccessBlock(rawValue: 4)
    /// `RestrictPublicBuckets`: lets a public policy count for the owner's account alone.
    package static let restrictsPublicBuckets = PublicAccessBlock(rawValue: 8)
    /// Every setting.
    package static let all: PublicAccessBlock = [
        .blocksPublicACLs, .ignoresPublicACLs, .blocksPublicPolicy, .restrictsPublicBuckets,
    ]
}
