import WireFormats

/// The day, region and service for which a signing key is valid.
package struct CredentialScope: Hashable, Sendable {
    /// The vendor of the signature: AWS Signature Version 4, or Version 4 of Alibaba Cloud OSS, which derives its keys in the same way.
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

        /// The prefix of the secret in the first key of the derivation.
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

    /// The service name that the AWS SDK for iOS, version 1, sends to endpoints outside AWS. It reads the service from the host's first
    /// label, and prints "(null)" if it finds none.
    package static let namelessService = "(null)"

    /// Returns whether the service is just the first label of the client's host, such as `127` or `localhost`. Early SDKs, such as
    /// boto 2, write that label for endpoints outside AWS.
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

    /// The scope as written in a credential and in the string to sign.
    package var text: String { "\(date)/\(region)/\(service)/\(scheme.terminator)" }
}
