package import WireFormats

/// Whose SQL a statement is written in.
package enum SelectDialect: Sendable {
    case oss
    /// - Parameter now: what `UTCNOW()` returns.
    case s3(now: Timestamp)

    var isOSS: Bool { if case .oss = self { true } else { false } }

    /// What FROM names.
    var table: String { isOSS ? "ossobject" : "s3object" }

    /// Bytes of a statement. (OSS User Guide, "Query objects"; S3 User Guide, "Querying data in place with Amazon S3 Select".)
    var longest: Int { isOSS ? 16 << 10 : 256 << 10 }
}
