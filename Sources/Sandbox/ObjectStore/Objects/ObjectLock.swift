package import WireFormats

/// The retention and the legal hold of a version, which prevent its deletion.
/// (S3 User Guide, "Locking objects with Object Lock".)
package struct ObjectLock: Hashable, Sendable {
    /// The mode of a retention, which determines who can remove it.
    package enum Mode: UInt8, Hashable, Sendable {
        case governance = 1
        case compliance
    }

    /// A period in which a version cannot be deleted.
    package struct Retention: Hashable, Sendable {
        /// The mode.
        package var mode: Mode
        /// When it ends.
        package var until: Timestamp
        /// When it was declared. Agings of the clock after this time also shorten the retention.
        package var declared: Timestamp

        package init(mode: Mode, until: Timestamp, declared: Timestamp) {
            self.mode = mode
            self.until = until
            self.declared = declared
        }
    }

    /// The retention; `nil` if there is none.
    package var retention: Retention?
    /// The legal hold; `nil` if it was never set.
    package var legalHold: Bool?

    package init(retention: Retention? = nil, legalHold: Bool? = nil) {
        self.retention = retention
        self.legalHold = legalHold
    }

    /// Whether neither a retention nor a legal hold was set.
    package var isEmpty: Bool { retention == nil && legalHold == nil }
}

extension ObjectLock.Mode {
    /// The name in headers and XML.
    package var name: String {
        switch self {
        case .governance: "GOVERNANCE"
        case .compliance: "COMPLIANCE"
        }
    }

    /// Parses the name of a mode in documents and headers.
    package init?(named name: String) {
        switch name {
        case "GOVERNANCE": self = .governance
        case "COMPLIANCE": self = .compliance
        default: return nil
        }
    }
}
