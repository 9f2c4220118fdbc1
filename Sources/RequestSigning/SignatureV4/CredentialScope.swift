/// The day, region and service a Signature V4 key is good for.
package struct CredentialScope: Hashable, Sendable {
    /// The day as `yyyyMMdd`.
    package var date: String
    /// The region; some clients sign with an empty one.
    package var region: String
    /// The service, such as `s3` or `sts`.
    package var service: String

    /// The last part of every scope.
    static let terminator = "aws4_request"

    /// What the AWS SDK for iOS, version 1, writes in the service's place where the endpoint is none of AWS's: it reads the service from the
    /// host's first label, and prints what it has not found.
    package static let namelessService = "(null)"

    package init(date: String, region: String, service: String) {
        self.date = date
        self.region = region
        self.service = service
    }

    /// The scope as it stands in a credential and in the string to sign.
    package var text: String { "\(date)/\(region)/\(service)/\(Self.terminator)" }
}
