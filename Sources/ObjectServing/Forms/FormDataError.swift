/// Why a form with a file is refused. Each door finds code, status and wording.
package enum FormDataError: Error, Hashable, Sendable {
    /// It is not built as `multipart/form-data` has it.
    case malformed
    /// What comes before the file is longer than this many bytes.
    case fieldsTooLong(limit: Int)
    /// It ends without a file.
    case noFile
    /// The file is longer than it may be; both in bytes.
    case fileTooLarge(size: Int64, most: Int64)
    /// The file is shorter than it must be; both in bytes.
    case fileTooSmall(size: Int64, least: Int64)
}
