package import WireFormats

/// The SQL dialect of a statement.
package enum SelectDialect: Sendable {
    case oss
    /// The dialect of S3.
    /// - Parameter now: the result of `UTCNOW()`.
    case s3(now: Timestamp)

    var isOSS: Bool { if case .oss = self { true } else { false } }

    /// The name of the table in FROM.
    var table: String { isOSS ? "ossobject" : "s3object" }

    /// The maximum size of a statement in bytes.
    /// (OSS User Guide, "Query objects"; S3 User Guide, "Querying data in place with Amazon S3 Select".)
    var longest: Int { isOSS ? 16 << 10 : 256 << 10 }
}
