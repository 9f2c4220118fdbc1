package import WireFormats

/// What keeps a version from being deleted. (S3 User Guide, "Locking objects with Object Lock".)
package struct ObjectLock: Hashable, Sendable {
    package enum Mode: UInt8, Hashable, Sendable {
        case governance = 1
        case compliance
    }

    package struct Retention: Hashable, Sendable {
        package var mode: Mode
        package var until: Timestamp
        /// When it was declared: what ages the end of the retention.
        package var declared: Timestamp

        package init(mode: Mode, until: Timestamp, declared: Timestamp) {
            self.mode = mode
            self.until = until
            self.declared = declared
        }
    }

    package var retention: Retention?
    /// Nil where nobody ever said.
    package var legalHold: Bool?

    package init(retention: Retention? = nil, legalHold: Bool? = nil) {
        self.retention = retention
        self.legalHold = legalHold
    }

    package var isEmpty: Bool { retention == nil && legalHold == nil }
}
