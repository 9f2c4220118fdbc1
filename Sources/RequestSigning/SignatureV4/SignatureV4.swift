/// AWS Signature Version 4: what a request presents, the canonical request it covers, the key, and the verdict.
///
/// The texts are "Create a signed AWS API request" in the IAM User Guide and "Authenticating Requests (AWS Signature
/// Version 4)" in the S3 API Reference. Nothing here reads a clock: whoever owns one compares ``Presented/timestamp`` and
/// ``Presented/expires`` with it.
package enum SignatureV4 {
    /// The name of the algorithm, as headers, queries and strings to sign spell it.
    package static let algorithm = "AWS4-HMAC-SHA256"

    /// How a service puts the path into the canonical request.
    package enum PathRule: Sendable {
        /// S3: as received, each escape decoded and encoded once.
        case asReceived
        /// Every other service: dot segments and empty segments removed, then what was received encoded once more.
        case normalised
    }
}
