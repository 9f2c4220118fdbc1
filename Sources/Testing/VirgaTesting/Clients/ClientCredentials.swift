import Directory

/// An access key.
public struct Credentials: Sendable, Hashable {
    /// The ID of the access key, such as `AKIA…`.
    public let accessKeyID: String
    /// The secret, which signs requests.
    public let secretAccessKey: String

    init(_ key: AccessKey) {
        accessKeyID = key.id
        secretAccessKey = key.secret
    }
}
