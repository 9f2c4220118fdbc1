package import WireFormats

/// The lifecycle rules of a bucket. (S3 API Reference, "BucketLifecycleConfiguration"; OSS API Reference, "PutBucketLifecycle".)
package struct LifecycleConfiguration: Hashable, Sendable {
    /// 1 to 1,000 rules, in the client's order.
    package var rules: [LifecycleRule]
    /// The rule for small objects; `nil` if objects of every size are transitioned.
    package var minimumTransitionSize: MinimumTransitionSize?
    /// The time at which it was put. The aging of the sandbox since then shifts the dates in it.
    package var declared: Timestamp

    /// `x-amz-transition-default-minimum-object-size`: the small objects that are not transitioned.
    package enum MinimumTransitionSize: String, Hashable, Sendable {
        /// Objects below 128 KiB, for all storage classes.
        case all = "all_storage_classes_128K"
        /// Objects below 128 KiB, except for transitions to archives.
        case byClass = "varies_by_storage_class"
    }

    package init(rules: [LifecycleRule], minimumTransitionSize: MinimumTransitionSize?, declared: Timestamp) {
        self.rules = rules
        self.minimumTransitionSize = minimumTransitionSize
        self.declared = declared
    }
}

/// A `Rule`.
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
    package var abortIncompleteUpload: Time?

    package init(id: String, filter: LifecycleFilter, isEnabled: Bool) {
        self.id = id
        self.filter = filter
        self.isEnabled = isEnabled
    }

    /// The time of an action.
    package enum Time: Hashable, Sendable {
        /// A number of days after the creation of the object.
        case days(Int64)
        /// A date at midnight.
        case date(Timestamp)
        /// Immediately for objects created before a midnight; never for later ones.
        case createdBefore(Timestamp)
    }

    /// When current versions expire.
    package enum Expiration: Hashable, Sendable {
        case at(Time)
        /// `ExpiredObjectDeleteMarker`: whether delete markers without other versions are removed.
        case deleteMarkers(Bool)
    }

    /// A change of the storage class of current versions.
    package struct Transition: Hashable, Sendable {
        /// When the transition happens.
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
        /// The number of newer noncurrent versions that are not transitioned.
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
        /// The number of noncurrent versions that are always kept.
        package var newerVersions: Int64?

        package init(days: Int64, newerVersions: Int64? = nil) {
            self.days = days
            self.newerVersions = newerVersions
        }
    }
}
