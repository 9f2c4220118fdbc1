package import Policy
import WireFormats

/// The objects that a rule applies to.
package struct LifecycleFilter: Hashable, Sendable {
    /// The form of the filter in the document, which is preserved.
    package enum Form: Hashable, Sendable {
        /// A prefix in the rule itself: the older form of S3, and the only one of OSS.
        case rulePrefix
        /// One condition or none.
        case single
        case and
    }

    /// Objects that the rule excludes. (OSS API Reference, "PutBucketLifecycle", `Not`.)
    package struct Exception: Hashable, Sendable {
        /// The prefix of the keys.
        package var prefix: String
        /// A tag that the objects have as well.
        package var tag: Tag?

        package init(prefix: String, tag: Tag?) {
            self.prefix = prefix
            self.tag = tag
        }
    }

    /// The form of the filter in the document.
    package var form: Form
    /// The prefix of the keys.
    package var prefix: String?
    /// The tags that objects must have; all are required.
    package var tags: [Tag]
    /// `ObjectSizeGreaterThan`, in bytes.
    package var sizeAbove: Int64?
    /// `ObjectSizeLessThan`, in bytes.
    package var sizeBelow: Int64?
    /// Objects that the rule excludes (OSS).
    package var exceptions: [Exception]

    package init(
        form: Form, prefix: String? = nil, tags: [Tag] = [], sizeAbove: Int64? = nil, sizeBelow: Int64? = nil,
        exceptions: [Exception] = []
    ) {
        self.form = form
        self.prefix = prefix
        self.tags = tags
        self.sizeAbove = sizeAbove
        self.sizeBelow = sizeBelow
        self.exceptions = exceptions
    }

    /// Whether the filter depends on tags of objects.
    package var asksForTags: Bool { !tags.isEmpty || exceptions.contains { $0.tag != nil } }

    /// Whether the filter matches a key, ignoring other properties.
    package func covers(_ key: String) -> Bool {
        (prefix.map { key.utf8.starts(with: $0.utf8) } ?? true)
            && !exceptions.contains { $0.tag == nil && key.utf8.starts(with: $0.prefix.utf8) }
    }

    /// Whether the filter matches an object, ignoring its tags.
    package func covers(_ key: String, size: Int64) -> Bool {
        covers(key) && (sizeAbove.map { size > $0 } ?? true) && (sizeBelow.map { size < $0 } ?? true)
    }

    /// Whether the tags of an object match the filter and no exception.
    package func covers(_ objectTags: [Tag], of key: String) -> Bool {
        tags.allSatisfy(objectTags.contains)
            && !exceptions.contains { exception in
                exception.tag.map { objectTags.contains($0) && key.utf8.starts(with: exception.prefix.utf8) } ?? false
            }
    }
}
