package import WireFormats

/// AWS Signature Version 2 for the REST API of S3: reading it, the string to sign, and verification.
///
/// The specification is "Signing and authenticating REST requests (AWS signature version 2)" in the S3 User Guide. Nothing here reads a
/// clock: the caller compares ``Presented/validity`` with the time.
package enum SignatureV2 {
    /// How a request states its validity.
    package enum Validity: Hashable, Sendable {
        /// In the `Authorization` header: when it was signed, and the text of that date.
        case signed(Timestamp, text: String)
        /// In the query: when it expires.
        case until(Timestamp)
    }

    /// The Signature Version 2 of a request, well-formed but not verified.
    package struct Presented: Hashable, Sendable {
        /// The access key identifier. It may be empty, which never matches an access key.
        package var accessKey: String
        /// The signature as sent; not validated.
        package var signature: String
        /// When the signature is valid.
        package var validity: Validity
        /// The session token sent with the signature; not empty.
        package var sessionToken: String?
        /// The date line of the string to sign.
        var dateLine: String

        /// Whether the signature is in the query.
        package var isPresigned: Bool {
            if case .until = validity { true } else { false }
        }
    }
}

/// Why the Signature Version 2 of a request cannot be read. The face chooses code, status and message.
package enum SignatureV2Error: Error, Hashable, Sendable {
    /// Both the `Authorization` header and the query contain a signature.
    case severalMechanisms
    /// More than one space after `AWS` in the `Authorization` header, as sent.
    case severalSpaces(String)
    /// The `Authorization` header is not `AWS key:signature`, as sent.
    case malformedAuthorization(String)
    /// Neither `x-amz-date` nor `Date` is present, or the date is invalid or before 1970.
    case invalidDate
    /// One of `Signature`, `Expires` and `AWSAccessKeyId` is missing in the query.
    case missingParameters
    /// `Expires` is not an integer number of seconds, as sent.
    case malformedExpires(String)
}
