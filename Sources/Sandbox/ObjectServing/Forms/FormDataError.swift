/// An error in a form with a file. Each face has its own code, status and message for it.
package enum FormDataError: Error, Hashable, Sendable {
    /// The body is not valid `multipart/form-data`.
    case malformed
    /// The content before the file is longer than this number of bytes.
    case fieldsTooLong(limit: Int)
    /// A field before the file is repeated; its name as sent the second time, and its second value.
    case repeatedField(name: String, value: String)
    /// The form ends without a file.
    case noFile
    /// The file is longer than allowed; both sizes in bytes.
    case fileTooLarge(size: Int64, most: Int64)
    /// The file is shorter than required; both sizes in bytes.
    case fileTooSmall(size: Int64, least: Int64)
}
