package import WireFormats

/// What becomes of a bucket's objects with time. (S3 API Reference, "BucketLifecycleConfiguration"; OSS API Reference,
/// "PutBucketLifecycle".)
package struct LifecycleConfiguration: Hashable, Sendable {
    /// 1 to 1,000, in the client's order.
    package var rules: [LifecycleRule]
    /// `nil` if objects of every size move.
    package var minimumTransitionSize: MinimumTransitionSize?
    /// When it was put; what dates in it are told from when the sandbox ages.
    package var declared: Timestamp

    /// `x-amz-transition-default-minimum-object-size`: which small objects stay where they are.
    package enum MinimumTransitionSize: String, Hashable, Sendable {
        /// Those below 128 KiB, whatever the class.
        case all = "all_storage_classes_128K"
        /// Those below 128 KiB, but not on the way into an archive.
        case byClass = "varies_by_storage_class"
    }

    package init(rules: [LifecycleRule], minimumTransitionSize: MinimumTransitionSize?, declared: Timestamp) {
        self.rules = rules
        self.minimumTransitionSize = minimumTransitionSize
        self.declared = declared
    }
}

/// One `Rule`.
package struct LifecycleRule: Hashable, Sendable {
    /// At most 255 characters; unique in the configuration.
    package var id: String
    /// The objects that the rule is for.
    package var filter: LifecycleFilter
    /// Whether the rule applies.
    package var isEnabled: Bool
    /// When current versions expire.
    package var expiration: Expiration?
    /// When current versions change their storage class.
    package var transitions: [Transition] = []
    /// When noncurrent versions change their storage class.
    package var noncurrentTransitions: [NoncurrentTransition] = []
    /// When noncurrent versions are deleted.
    package var noncurrentExpiration: NoncurrentExpiration?
    /// When an unfinished upload is aborted, counted from its start.
    package var abortion: Time?

    package init(id: String, filter: LifecycleFilter, isEnabled: Bool) {
        self.id = id
        self.filter = filter
        self.isEnabled = isEnabled
    }

    /// When an action is due.
    package enum Time: Hashable, Sendable {
        /// Days after the object was made.
        case days(Int64)
        /// A midnight.
        case date(Timestamp)
        /// At once, for what was made before a midnight, and never for what was made later.
        case createdBefore(Timestamp)
    }

    /// When current versions expire.
    package enum Expiration: Hashable, Sendable {
        case at(Time)
        /// `ExpiredObjectDeleteMarker`: whether delete markers go that stand for nothing any more.
        case deleteMarkers(Bool)
    }

    /// A change of the storage class of current versions.
    package struct Transition: Hashable, Sendable {
        /// When it happens.
        package var time: Time
        /// The new storage class.
        package var storageClass: StorageClass

        package init(time: Time, storageClass: StorageClass) {
            self.time = time
            self.storageClass = storageClass
        }
    }

    /// A change of the storage class of noncurrent versions.
    package struct NoncurrentTransition: Hashable, Sendable {
        /// Days after a version became noncurrent.
        package var days: Int64
        /// How many noncurrent versions that are newer must stay as they are.
        package var newerVersions: Int64?
        /// The new storage class.
        package var storageClass: StorageClass

        package init(days: Int64, newerVersions: Int64? = nil, storageClass: StorageClass) {
            self.days = days
            self.newerVersions = newerVersions
            self.storageClass = storageClass
        }
    }

    /// The deletion of noncurrent versions.
    package struct NoncurrentExpiration: Hashable, Sendable {
        /// Days after a version became noncurrent.
        package var days: Int64
        /// How many noncurrent versions are kept in any case.
        package var newerVersions: Int64?

        package init(days: Int64, newerVersions: Int64? = nil) {
            self.days = days
            self.newerVersions = newerVersions
        }
    }
}
