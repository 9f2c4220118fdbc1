import HTTPTypes
import WireFormats

extension HTTPFields {
    /// Adds the header fields in the query of a presigned request. SDKs put `x-amz-…` headers and conditions there, so that the user of the
    /// URL need not send them. A field that is also sent as a header has precedence.
    /// (S3 API Reference, "Authenticating requests: using query parameters".)
    ///
    /// S3 reads tags, metadata and ACLs there, but neither a copy source (aws/aws-sdk-php#1275) nor encryption (aws/aws-sdk-js-v3#1576).
    mutating func append(presignedIn query: FormFields) {
        let isPresigned = query.fields.contains { $0.name == "X-Amz-Signature" || $0.name == "Signature" }
        guard isPresigned else { return }
        for field in query.fields where field.name.utf8.count > 6 {
            let name = field.name.lowercased()
            let isHoisted = name.hasPrefix("x-amz-") && !signing.contains(name) && !onlyHeaders.contains(where: name.hasPrefix)
            guard isHoisted || conditions.contains(name),
                let name = HTTPField.Name(name), !contains(name), HTTPField.isValidValue(field.value)
            else { continue }
            append(HTTPField(name: name, value: field.value))
        }
    }
}

/// Conditional headers, which some SDKs also put in the query.
private let conditions: Set = ["if-match", "if-none-match"]

/// The beginnings of names that S3 reads in headers only.
private let onlyHeaders = ["x-amz-checksum-", "x-amz-copy-source", "x-amz-server-side-encryption"]

/// Parameters of the signature, and the SDKs' placeholders for the body, which S3 ignores.
private let signing: Set = [
    "x-amz-algorithm", "x-amz-content-sha256", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-sdk-checksum-algorithm",
    "x-amz-security-token", "x-amz-signature", "x-amz-signedheaders", "x-amz-trailer", "x-amz-user-agent",
]
