/// AWS Signature Version 4: reading it, the canonical request that it covers, the key, and verification.
///
/// The specifications are "Create a signed AWS API request" in the IAM User Guide and "Authenticating Requests (AWS Signature
/// Version 4)" in the S3 API Reference. Nothing here reads a clock: the caller compares ``Presented/timestamp`` and
/// ``Presented/expires`` with the time.
package enum SignatureV4 {
    /// The name of the algorithm in headers, queries and strings to sign.
    package static let algorithm = "AWS4-HMAC-SHA256"

    /// How a service writes the path in the canonical request.
    package enum PathRule: Sendable {
        /// S3: as received, with each escape decoded once and encoded once.
        case asReceived
        /// Every other service: without dot segments and empty segments, then encoded once more.
        case normalised
    }
}
