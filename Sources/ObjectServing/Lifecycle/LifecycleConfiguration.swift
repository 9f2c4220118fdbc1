package import WireFormats

/// What becomes of a bucket's objects with time. (S3 API Reference, "BucketLifecycleConfiguration"; OSS API Reference,
/// "PutBucketLifecycle".)
package struct LifecycleConfiguration: Hashable, Sendable {
    /// 1 to 1,000, in the client's order.
    package var rules: [LifecycleRule]
    /// Nothing where objects of every size move.
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
    package var filter: LifecycleFilter
    package var isEnabled: Bool
    package var expiration: Expiration?
    package var transitions: [Transition] = []
    package var noncurrentTransitions: [NoncurrentTransition] = []
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

    package enum Expiration: Hashable, Sendable {
        case at(Time)
        /// `ExpiredObjectDeleteMarker`: whether delete markers go that stand for nothing any more.
        case deleteMarkers(Bool)
    }

    package struct Transition: Hashable, Sendable {
        package var time: Time
        package var storageClass: StorageClass

        package init(time: Time, storageClass: StorageClass) {
            self.time = time
            self.storageClass = storageClass
        }
    }

    package struct NoncurrentTransition: Hashable, Sendable {
        package var days: Int64
        /// How many noncurrent versions that are newer must stay as they are.
        package var newerVersions: Int64?
        package var storageClass: StorageClass

        package init(days: Int64, newerVersions: Int64? = nil, storageClass: StorageClass) {
            self.days = days
            self.newerVersions = newerVersions
            self.storageClass = storageClass
        }
    }

    package struct NoncurrentExpiration: Hashable, Sendable {
        package var days: Int64
        package var newerVersions: Int64?

        package init(days: Int64, newerVersions: Int64? = nil) {
            self.days = days
            self.newerVersions = newerVersions
        }
    }
}
