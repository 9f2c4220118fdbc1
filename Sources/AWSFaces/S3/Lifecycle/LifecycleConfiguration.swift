import Cloud
import WireFormats

/// What becomes of a bucket's objects with time. (S3 API Reference, "BucketLifecycleConfiguration".)
struct LifecycleConfiguration: Hashable, Sendable {
    /// 1 to 1,000, in the client's order.
    var rules: [LifecycleRule]
    var minimumTransitionSize = MinimumTransitionSize.all
    /// When it was put; what dates in it are told from when the sandbox ages.
    var declared: Timestamp

    /// `x-amz-transition-default-minimum-object-size`: which small objects stay where they are.
    enum MinimumTransitionSize: String, Hashable, Sendable {
        /// Those below 128 KiB, whatever the class.
        case all = "all_storage_classes_128K"
        /// Those below 128 KiB, but not on the way into an archive.
        case byClass = "varies_by_storage_class"
    }
}

/// One `Rule`.
struct LifecycleRule: Hashable, Sendable {
    /// At most 255 characters; unique in the configuration.
    var id: String
    var filter: LifecycleFilter
    var isEnabled: Bool
    var expiration: Expiration?
    var transitions: [Transition] = []
    var noncurrentTransitions: [NoncurrentTransition] = []
    var noncurrentExpiration: NoncurrentExpiration?
    /// `AbortIncompleteMultipartUpload`: days since the upload was started.
    var abortDays: Int64?

    /// When an action is due.
    enum Time: Hashable, Sendable {
        /// Days after the object was made.
        case days(Int64)
        /// A midnight.
        case date(Timestamp)
    }

    enum Expiration: Hashable, Sendable {
        case at(Time)
        /// `ExpiredObjectDeleteMarker`: whether delete markers go that stand for nothing any more.
        case deleteMarkers(Bool)
    }

    struct Transition: Hashable, Sendable {
        var time: Time
        var storageClass: StorageClass
    }

    struct NoncurrentTransition: Hashable, Sendable {
        var days: Int64
        /// How many noncurrent versions that are newer must stay as they are.
        var newerVersions: Int64?
        var storageClass: StorageClass
    }

    struct NoncurrentExpiration: Hashable, Sendable {
        var days: Int64
        var newerVersions: Int64?
    }
}

/// Which objects a rule is about.
struct LifecycleFilter: Hashable, Sendable {
    /// How it was written, which reading it back keeps.
    enum Form: Hashable, Sendable {
        /// The older form: a prefix in the rule itself.
        case rulePrefix
        /// One condition or none.
        case single
        case and
    }

    var form: Form
    var prefix: String?
    var tags: [Tag] = []
    /// `ObjectSizeGreaterThan`, in bytes.
    var sizeAbove: Int64?
    /// `ObjectSizeLessThan`, in bytes.
    var sizeBelow: Int64?

    /// Whether the rule is about a key, as far as the key says.
    func covers(_ key: String) -> Bool { prefix.map { key.utf8.starts(with: $0.utf8) } ?? true }

    /// Whether the rule is about an object, as far as all but its tags say.
    func covers(_ key: String, size: Int64) -> Bool {
        covers(key) && (sizeAbove.map { size > $0 } ?? true) && (sizeBelow.map { size < $0 } ?? true)
    }

    /// Whether the object has all tags that the rule asks for.
    func covers(_ objectTags: [Tag]) -> Bool { tags.allSatisfy(objectTags.contains) }
}
