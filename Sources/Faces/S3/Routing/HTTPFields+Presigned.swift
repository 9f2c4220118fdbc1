import HTTPTypes
import RequestSigning
import WireFormats

extension HTTPFields {
    /// Adds the header fields in the query of a presigned request. A field that is also sent as a header has precedence.
    ///
    /// S3 reads tags, metadata and ACLs there, but neither a copy source (aws/aws-sdk-php#1275) nor encryption (aws/aws-sdk-js-v3#1576).
    mutating func append(presignedIn query: FormFields) {
        for field in PresignedHeaders(query).fields {
            let isHoisted =
                field.name.hasPrefix("x-amz-") && !signing.contains(field.name) && !onlyHeaders.contains(where: field.name.hasPrefix)
            guard isHoisted || conditions.contains(field.name), let header = field.header, !contains(header.name) else { continue }
            append(header)
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
