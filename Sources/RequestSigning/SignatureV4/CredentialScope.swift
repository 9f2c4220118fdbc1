/// The day, region and service that a signing key is good for.
package struct CredentialScope: Hashable, Sendable {
    /// Whose signatures they are: AWS Signature Version 4, or Version 4 of Alibaba Cloud's object store, which derives its keys alike.
    package enum Scheme: Hashable, Sendable {
        case aws
        case alibabaCloud

        /// The last part of every scope.
        package var terminator: String {
            switch self {
            case .aws: "aws4_request"
            case .alibabaCloud: "aliyun_v4_request"
            }
        }

        /// What stands before the secret in the key that the chain begins with.
        var keyPrefix: String {
            switch self {
            case .aws: "AWS4"
            case .alibabaCloud: "aliyun_v4"
            }
        }
    }

    /// The day as `yyyyMMdd`.
    package var date: String
    /// The region; some clients sign with an empty one.
    package var region: String
    /// The service, such as `s3` or `sts`.
    package var service: String
    /// The vendor's variant of Signature Version 4.
    package var scheme: Scheme

    /// What the AWS SDK for iOS, version 1, writes in the service's place where the endpoint is none of AWS's: it reads the service from the
    /// host's first label, and prints what it has not found.
    package static let namelessService = "(null)"

    /// Whether the service is none but the first label of the host that the client was given, such as `127` or `localhost`: what the first
    /// SDKs, such as boto 2, write where the endpoint is none of AWS's.
    /// - Parameter authority: `host[:port]`.
    package static func isLabel(_ service: String, ofHost authority: String) -> Bool {
        let host = authority.utf8.prefix { $0 != UInt8(ascii: ":") }
        let label = host.prefix { $0 != UInt8(ascii: ".") }
        guard label.elementsEqual(service.utf8) else { return false }
        return label.endIndex == host.endIndex || host.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
    }

    package init(date: String, region: String, service: String, scheme: Scheme = .aws) {
        self.date = date
        self.region = region
        self.service = service
        self.scheme = scheme
    }

    /// The scope as it stands in a credential and in the string to sign.
    package var text: String { "\(date)/\(region)/\(service)/\(scheme.terminator)" }
}
