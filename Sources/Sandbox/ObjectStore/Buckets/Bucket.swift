package import Policy
package import WireFormats

/// A container of objects: its name is unique in the sandbox, and it belongs to one account.
package struct Bucket: Hashable, Sendable, Identifiable {
    /// The identity of a bucket. It is never reused, so a request with a deleted bucket cannot access a new one of the same name.
    package struct ID: Hashable, Sendable {
        let number: Int64
    }

    /// The stored properties of a bucket. This is a class because every step of a request passes the bucket on, and a structure would have
    /// a dozen references to copy.
    private final class Fields: Hashable, Sendable {
        let id: ID
        let name: String
        let owner: String
        let region: String
        let created: Timestamp
        let configuration: BucketConfiguration
        let revision: Int64
        let documents = ParsedDocuments()

        init(
            id: ID, name: String, owner: String, region: String, created: Timestamp, configuration: BucketConfiguration, revision: Int64
        ) {
            self.id = id
            self.name = name
            self.owner = owner
            self.region = region
            self.created = created
            self.configuration = configuration
            self.revision = revision
        }

        static func == (one: Fields, other: Fields) -> Bool {
            one === other
                || one.id == other.id && one.revision == other.revision && one.name == other.name && one.owner == other.owner
                    && one.region == other.region && one.created == other.created && one.configuration == other.configuration
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(id)
            hasher.combine(revision)
        }
    }

    private var fields: Fields
    /// The account that owns the bucket and, by default, everything in it.
    package private(set) var account: String

    /// The number of the bucket, which is never reused.
    package var id: ID { fields.id }
    /// The name.
    package var name: String { fields.name }
    /// The account that the store has as the owner, whichever door shows the bucket.
    package var owner: String { fields.owner }
    /// The location constraint of the creator; may be empty.
    package var region: String { fields.region }
    /// When it was created.
    package var created: Timestamp { fields.created }
    /// The settings and documents of the bucket.
    package var configuration: BucketConfiguration { fields.configuration }
    /// The documents of the configuration that were parsed.
    var documents: ParsedDocuments { fields.documents }
    /// The revision, which changes with every change of the configuration, so that derived data can be checked for being up to date.
    package var revision: Int64 { fields.revision }

    /// The bucket policy as JSON text, byte for byte as it was sent; `nil` if there is none.
    package var policy: String? { fields.configuration.documents[.policy] }

    /// The unique identifiers of the principals in ``policy``, as text; `nil` if there are none.
    package var policyPrincipals: String? { fields.configuration.documents[.policyPrincipals] }

    init(
        id: ID, name: String, account: String, region: String, created: Timestamp, configuration: BucketConfiguration, revision: Int64
    ) {
        fields = Fields(
            id: id, name: name, owner: account, region: region, created: created, configuration: configuration, revision: revision)
        self.account = account
    }

    /// Replaces the configuration, and counts the revision.
    mutating func configure(_ configuration: BucketConfiguration) {
        fields = Fields(
            id: id, name: name, owner: owner, region: region, created: created, configuration: configuration, revision: revision + 1)
    }

    /// Returns the bucket for the services of a vendor, owned by an account of that vendor; `nil` if they cannot access it.
    package func shown(by vendor: Vendor) -> Bucket? {
        if Vendor(account: account) == vendor { return self }
        if Vendor(account: owner) == vendor { return shownToOwner }
        guard let partner = fields.configuration.documents[.sharedWith], Vendor(account: partner) == vendor else { return nil }
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

    /// Whether the requester pays. (S3 User Guide, "Using Requester Pays general purpose buckets"; OSS User Guide, "Pay-by-requester".)
    package var isPaidByRequester: Bool { fields.configuration.requestPayer == .requester }

    /// Whether the services of both vendors can access the bucket.
    package var isShared: Bool { fields.configuration.documents[.sharedWith] != nil }

    /// Returns the account that this vendor's services report as an owner. Accounts of the other vendor are replaced by the bucket's owner.
    /// - Parameter account: the owner in the record.
    package func shownOwner(_ account: String) -> String {
        account == Vendor.anonymous || Vendor(account: account) == Vendor(account: self.account) ? account : self.account
    }
}

/// The settings of a bucket that its owner can change. They are kept in memory and replaced as a whole.
package struct BucketConfiguration: Hashable, Sendable {
    /// The state of versioning.
    package var versioning = Versioning.never
    /// Whether objects can be locked. Once enabled, this cannot be disabled.
    package var hasObjectLock = false
    /// The object ownership; `nil` if the owner removed the setting.
    package var ownership: ObjectOwnership?
    /// The public access block; `nil` if the owner removed the setting.
    package var publicAccessBlock: PublicAccessBlock?
    /// The ACL; `nil` if only the owner has a grant.
    package var accessControl: AccessControlList?
    /// The payer of requests.
    package var requestPayer = RequestPayer.bucketOwner
    /// The tags, in the order in which they were put.
    package var tags: [Tag] = []
    /// The default retention of new objects in a bucket with Object Lock; `nil` if there is none.
    package var defaultRetention: DefaultRetention?
    /// All other settings, as documents of their face.
    package var documents: [BucketDocument: String] = [:]

    package init() {}

    /// The configuration of new buckets today: ACLs are disabled and public access is blocked. (S3 User Guide, "Default settings for new
    /// S3 buckets", April 2023.)
    package static let modern: BucketConfiguration = {
        var configuration = BucketConfiguration()
        configuration.ownership = .bucketOwnerEnforced
        configuration.publicAccessBlock = .all
        return configuration
    }()

    /// The configuration of new buckets before that: ACLs are enabled and public access is not blocked.
    package static let legacy = BucketConfiguration()
}

/// A configuration that is stored as text. Its face creates and checks the text, and only this face reads it.
/// Raw values are stored: never change one.
package enum BucketDocument: String, Hashable, Sendable, CaseIterable {
    /// Whether the tags of the bucket are condition keys of S3.
    case abac
    case accelerate
    case analytics
    case cors
    case encryption
    case intelligentTiering
    case inventory
    case lifecycle
    case logging
    case metrics
    /// The MFA delete setting of S3, if it was specified.
    case mfaDelete
    case notification
    case ossAccessMonitor
    case ossArchiveDirectRead
    case ossCallbackPolicy
    /// The tokens that prove the ownership of host names for OSS.
    case ossCnameTokens
    /// The CORS rules of OSS; those of S3 are ``cors``.
    case ossCORS
    /// `ZRS` for zone-redundant storage, if it is set.
    case ossDataRedundancy
    case ossEncryption
    case ossHTTPSConfig
    /// Additional host names of the bucket at OSS: a list of names in JSON.
    case ossHosts
    case ossInventory
    /// The lifecycle rules of OSS; those of S3 are ``lifecycle``.
    case ossLifecycle
    case ossLogging
    /// The retention of new objects.
    case ossObjectWorm
    case ossOverwrite
    /// The bucket policy of OSS, in the dialect of RAM; that of S3 is ``policy``.
    case ossPolicy
    /// Whether OSS blocks public access to the bucket. S3 has separate settings.
    case ossPublicAccessBlock
    case ossReferer
    case ossResourceGroup
    /// The capacity of the bucket in gigabytes.
    case ossStorageCapacity
    /// The storage class of new objects at OSS, if it is not `Standard`.
    case ossStorageClass
    /// Image styles.
    case ossStyle
    case ossTransferAcceleration
    case ossUserDefinedLogFields
    /// The website configuration of OSS; that of S3 is ``website``.
    case ossWebsite
    /// The retention of the whole bucket.
    case ossWorm
    case policy
    /// Present if the bucket policy can deny changes of itself even to the owner's root user.
    case policyLock
    /// The unique identifiers of the users and roles that ``policy`` names, in JSON. Policies of earlier versions have none.
    case policyPrincipals
    case replication
    /// The account of the other vendor that can also access the bucket.
    case sharedWith
    case website
}

/// The owner of objects that other accounts upload, and whether ACLs are enabled.
/// (S3 User Guide, "Controlling ownership of objects and disabling ACLs".)
package enum ObjectOwnership: String, Hashable, Sendable {
    case bucketOwnerEnforced = "BucketOwnerEnforced"
    case bucketOwnerPreferred = "BucketOwnerPreferred"
    case objectWriter = "ObjectWriter"
}

/// The payer of requests to a bucket. Raw values are stored: never change one.
package enum RequestPayer: String, Hashable, Sendable {
    case bucketOwner = "BucketOwner"
    case requester = "Requester"
}

/// The ways of public access that are blocked. (S3 User Guide, "Blocking public access".)
package struct PublicAccessBlock: OptionSet, Hashable, Sendable {
    /// One bit for each setting.
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// `BlockPublicAcls`: rejects new public ACLs.
    package static let blocksPublicACLs = PublicAccessBlock(rawValue: 1)
    /// `IgnorePublicAcls`: ignores public grants.
    package static let ignoresPublicACLs = PublicAccessBlock(rawValue: 2)
    /// `BlockPublicPolicy`: rejects new public policies.
    package static let blocksPublicPolicy = PublicAccessBlock(rawValue: 4)
    /// `RestrictPublicBuckets`: applies a public policy only to the owner's account.
    package static let restrictsPublicBuckets = PublicAccessBlock(rawValue: 8)
    /// Every setting.
    package static let all: PublicAccessBlock = [
        .blocksPublicACLs, .ignoresPublicACLs, .blocksPublicPolicy, .restrictsPublicBuckets,
    ]
}
