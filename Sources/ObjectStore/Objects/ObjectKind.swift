package import WireFormats

/// What an object is to those who write and read it; spelled in no dialect.
/// (OSS User Guide, "Append upload" and "Symbolic links".)
package enum ObjectKind: Hashable, Sendable {
    /// Written as a whole.
    case normal
    /// Grows at its end, until it is sealed.
    case appendable(sealed: Timestamp?)
    /// Has no content of its own and leads to another key of its bucket.
    case symlink(target: String)
}
