package import HTTPTypes
import ObjectStore

/// A write that found no space: the sandbox has its maximum size, or the disk is full.
///
/// Each face reports it with an error that clients do not retry, because a retry fails as well until something is deleted.
package enum FullStorage {
    /// Returns whether an error has this cause.
    package static func isCause(of error: any Error) -> Bool { StorageError.isFull(error) }

    /// The message for developers, if the sandbox has its maximum size.
    package static let message = "The storage is full. Delete data, or start virga with a larger --sandbox-size."

    /// The message for developers, if the disk is full.
    private static let diskMessage = "The disk of virga's data is full. Free space on it, or delete data."

    /// Returns the message for developers.
    package static func message(for error: any Error) -> String { StorageError.isDiskFull(error) ? diskMessage : message }
}

extension HTTPResponse.Status {
    /// 507, which clients must not retry by themselves (RFC 4918 section 11.5).
    package static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
