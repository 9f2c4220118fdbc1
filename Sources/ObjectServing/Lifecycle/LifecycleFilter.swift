package import Policy

/// Which objects a rule is about.
package struct LifecycleFilter: Hashable, Sendable {
    /// How it was written, which reading it back keeps.
    package enum Form: Hashable, Sendable {
        /// A prefix in the rule itself: S3's older form, and the only one of OSS.
        case rulePrefix
        /// One condition or none.
        case single
        case and
    }

    /// Objects that the rule spares. (OSS API Reference, "PutBucketLifecycle", `Not`.)
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

    /// How the configuration writes the filter.
    package var form: Form
    /// The prefix of the keys.
    package var prefix: String?
    /// The tags that the objects have, all of them.
    package var tags: [Tag]
    /// `ObjectSizeGreaterThan`, in bytes.
    package var sizeAbove: Int64?
    /// `ObjectSizeLessThan`, in bytes.
    package var sizeBelow: Int64?
    /// Objects that the rule is not for (OSS).
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

    /// Whether tags of objects decide anything.
    package var asksForTags: Bool { !tags.isEmpty || exceptions.contains { $0.tag != nil } }

    /// Whether the rule is about a key, as far as the key says.
    package func covers(_ key: String) -> Bool {
        (prefix.map { key.utf8.starts(with: $0.utf8) } ?? true)
            && !exceptions.contains { $0.tag == nil && key.utf8.starts(with: $0.prefix.utf8) }
    }

    /// Whether the rule is about an object, as far as all but its tags say.
    package func covers(_ key: String, size: Int64) -> Bool {
        covers(key) && (sizeAbove.map { size > $0 } ?? true) && (sizeBelow.map { size < $0 } ?? true)
    }

    /// Whether the object has all tags that the rule asks for, and none that it spares.
    package func covers(_ objectTags: [Tag], of key: String) -> Bool {
        tags.allSatisfy(objectTags.contains)
            && !exceptions.contains { exception in
                exception.tag.map { objectTags.contains($0) && key.utf8.starts(with: exception.prefix.utf8) } ?? false
            }
    }
}
