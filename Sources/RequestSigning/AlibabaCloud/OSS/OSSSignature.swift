package import WireFormats

/// The signatures of Alibaba Cloud's Object Storage Service, in header and query: what a request presents, the string to sign,
/// and the verdict.
///
/// The texts are "Include signatures in the Authorization header", "Add signatures to URLs" and "Signature version 4" in the OSS API
/// Reference. Nothing here reads a clock: whoever owns one compares ``Presented/validity`` with it.
package enum OSSSignature {
    /// The name of Version 4, as headers, queries and forms spell it.
    package static let algorithmV4 = "OSS4-HMAC-SHA256"
    /// The name of Version 2, as queries spell it.
    static let algorithmV2 = "OSS2"
    /// The one thing that Version 4 says of a body.
    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    /// The versions of OSS signatures.
    package enum Version: Hashable, Sendable {
        case v1
        case v2
        /// The scope of the key.
        case v4(CredentialScope)
    }

    /// How a request says until when it is to be believed.
    package enum Validity: Hashable, Sendable {
        /// In the header: when it was signed, and the text that said so.
        case signed(Timestamp, text: String)
        /// In a query of Version 1 or 2: when it ends.
        case until(Timestamp)
        /// In a query of Version 4: when it was signed, and how long it lasts, a second to a week.
        case lasting(Duration, from: Timestamp)
    }

    /// What a request presents as its signature, well-formed but not verified.
    package struct Presented: Hashable, Sendable {
        /// The version of the signature.
        package var version: Version
        /// The access key identifier; not empty.
        package var accessKey: String
        /// When the signature is valid.
        package var validity: Validity
        /// The names of the headers that are covered beside those that always are, in lowercase, sorted; Version 1 has none.
        package var additionalHeaders: [String] = []
        /// The signature as sent; of any form.
        package var signature: String
        /// The session token beside the signature; not empty.
        package var sessionToken: String?

        /// Whether the signature is in the query.
        package var isPresigned: Bool {
            if case .signed = validity { false } else { true }
        }
    }
}

/// What a request to the object store is about, whatever the addressing: signatures cover bucket and key, and not the path.
package struct OSSResource: Hashable, Sendable {
    /// Nothing for the service itself.
    package var bucket: String?
    /// Decoded; `nil` for the bucket itself.
    package var key: String?
    /// Whether a bucket's name has a slash behind it, as it should.
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

/// Why what a request presents as a signature of OSS cannot be taken for one. The face finds code, status and wording.
package enum OSSSignatureError: Error, Hashable, Sendable {
    /// The `Authorization` field is of no version, or not as its version has it; as sent.
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
    /// A date that cannot be read, as sent.
    case malformedDate(String)
    /// The end or the lifetime of a presigned request is no whole number, as sent.
    case malformedExpires(String)
    /// The lifetime of a presigned request is not between a second and a week, as sent.
    case expiresOutOfRange(String)
    /// `x-oss-content-sha256` is missing or not `UNSIGNED-PAYLOAD`; as sent.
    case payloadHash(String?)
}
