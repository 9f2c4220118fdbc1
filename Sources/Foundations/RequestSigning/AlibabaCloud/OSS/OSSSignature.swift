package import WireFormats

/// The signatures of Alibaba Cloud's Object Storage Service, in header and query: reading them, the string to sign,
/// and verification.
///
/// The specifications are "Include signatures in the Authorization header", "Add signatures to URLs" and "Signature version 4" in the
/// OSS API Reference. Nothing here reads a clock: the caller compares ``Presented/validity`` with the time.
package enum OSSSignature {
    /// The name of Version 4 in headers, queries and forms.
    package static let algorithmV4 = "OSS4-HMAC-SHA256"
    /// The name of Version 2 in queries.
    static let algorithmV2 = "OSS2"
    /// The only value of `x-oss-content-sha256` that Version 4 allows.
    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    /// The versions of OSS signatures.
    package enum Version: Hashable, Sendable {
        case v1
        case v2
        /// The scope of the key.
        case v4(CredentialScope)
    }

    /// How a request states its validity.
    package enum Validity: Hashable, Sendable {
        /// In the header: when it was signed, and the text of that date.
        case signed(Timestamp, text: String)
        /// In a query of Version 1 or 2: when it expires.
        case until(Timestamp)
        /// In a query of Version 4: when it was signed, and how long it is valid, a second to a week.
        case lasting(Duration, from: Timestamp)
    }

    /// The signature of a request, well-formed but not verified.
    package struct Presented: Hashable, Sendable {
        /// The version of the signature.
        package var version: Version
        /// The access key identifier; not empty.
        package var accessKey: String
        /// When the signature is valid.
        package var validity: Validity
        /// The names of the headers that are covered in addition to the mandatory ones, in lowercase, sorted; empty in Version 1.
        package var additionalHeaders: [String] = []
        /// The signature as sent; not validated.
        package var signature: String
        /// The session token sent with the signature; not empty.
        package var sessionToken: String?

        /// Whether the signature is in the query.
        package var isPresigned: Bool {
            if case .signed = validity { false } else { true }
        }
    }
}

/// The bucket and key of a request, whatever the addressing. Signatures cover these and not the path.
package struct OSSResource: Hashable, Sendable {
    /// The bucket; `nil` for the service itself.
    package var bucket: String?
    /// The decoded key; `nil` for the bucket itself.
    package var key: String?
    /// Whether a slash follows the bucket's name, as it should.
    var endsWithSlash = true

    package init(bucket: String? = nil, key: String? = nil) {
        self.bucket = bucket
        self.key = key
    }

    /// `/`, `/bucket/` or `/bucket/key`.
    var path: String {
        guard let bucket else { return "/" }
        guard endsWithSlash || key != nil else { return "/\(bucket)" }
        return "/\(bucket)/\(key ?? "")"
    }
}

/// Why the signature of an OSS request cannot be read. The face chooses code, status and message.
package enum OSSSignatureError: Error, Hashable, Sendable {
    /// The `Authorization` header has no known version, or not the form of its version; as sent.
    case malformedAuthorization(String)
    /// `x-oss-signature-version` is neither `OSS2` nor `OSS4-HMAC-SHA256`, as sent.
    case unknownVersion(String)
    /// Query parameters of a presigned request that are missing or empty.
    case missingParameters([String])
    /// A credential that is not `key/date/region/product/aliyun_v4_request`, as sent.
    case malformedCredential(String, CredentialFault)
    /// The day of the credential is not the day of the request.
    case credentialDate(String, requestDate: String)
    /// Neither `x-oss-date` nor `Date` in a header-signed request.
    case missingDate
    /// A date that cannot be parsed, as sent.
    case malformedDate(String)
    /// The expiry time or lifetime of a presigned request is not an integer, as sent.
    case malformedExpires(String)
    /// The lifetime of a presigned request is not between a second and a week, as sent.
    case expiresOutOfRange(String)
    /// `x-oss-content-sha256` is missing or not `UNSIGNED-PAYLOAD`; as sent.
    case payloadHash(String?)
}
