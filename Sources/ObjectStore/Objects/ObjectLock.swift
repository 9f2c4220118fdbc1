package import WireFormats

/// What keeps a version from being deleted. (S3 User Guide, "Locking objects with Object Lock".)
package struct ObjectLock: Hashable, Sendable {
    /// Who may lift a retention.
    package enum Mode: UInt8, Hashable, Sendable {
        case governance = 1
        case compliance
    }

    /// A time in which a version cannot be deleted.
    package struct Retention: Hashable, Sendable {
        /// Who may lift it.
        package var mode: Mode
        /// When it ends.
        package var until: Timestamp
        /// When it was declared: what ages the end of the retention.
        package var declared: Timestamp

        package init(mode: Mode, until: Timestamp, declared: Timestamp) {
            self.mode = mode
            self.until = until
            self.declared = declared
        }
    }

    /// The time in which the version cannot be deleted.
    package var retention: Retention?
    /// Nil where nobody ever said.
    package var legalHold: Bool?

    package init(retention: Retention? = nil, legalHold: Bool? = nil) {
        self.retention = retention
        self.legalHold = legalHold
    }

    /// Whether neither a retention nor a legal hold was set.
    package var isEmpty: Bool { retention == nil && legalHold == nil }
}
