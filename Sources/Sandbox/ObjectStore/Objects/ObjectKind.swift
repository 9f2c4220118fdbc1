package import WireFormats

/// The kind of an object, independent of the dialect.
/// (OSS User Guide, "Append upload" and "Symbolic links".)
package enum ObjectKind: Hashable, Sendable {
    /// An object that was written as a whole.
    case normal
    /// An object that can be appended to until it is sealed.
    case appendable(sealed: Timestamp?)
    /// A symbolic link to another key of its bucket.
    case symlink(target: String)
}
