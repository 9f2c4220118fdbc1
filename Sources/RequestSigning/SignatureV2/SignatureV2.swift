package import WireFormats

/// AWS Signature Version 2 for the REST API of S3: what a request presents, the string to sign, and the verdict.
///
/// The text is "Signing and authenticating REST requests (AWS signature version 2)" in the S3 User Guide. Nothing here reads a
/// clock: whoever owns one compares ``Presented/validity`` with it.
package enum SignatureV2 {
    /// How a request says until when it is to be believed.
    package enum Validity: Hashable, Sendable {
        /// In the `Authorization` field: when it was signed, and the text that said so.
        case signed(Timestamp, text: String)
        /// In the query: when it ends.
        case until(Timestamp)
    }

    /// What a request presents as its Signature V2, well-formed but not verified.
    package struct Presented: Hashable, Sendable {
        /// The access key identifier; may be empty, which nobody's is.
        package var accessKey: String
        /// The signature as sent; of any form.
        package var signature: String
        /// When the signature is valid.
        package var validity: Validity
        /// The session token beside the signature; not empty.
        package var sessionToken: String?
        /// What stands for the date in the string to sign.
        var dateLine: String

        /// Whether the signature is in the query.
        package var isPresigned: Bool {
            if case .until = validity { true } else { false }
        }
    }
}

/// Why what a request presents as Signature V2 cannot be taken for one. The face finds code, status and wording.
package enum SignatureV2Error: Error, Hashable, Sendable {
    /// A signature in the `Authorization` field and one in the query.
    case severalMechanisms
    /// More than one space after `AWS` in the `Authorization` field, as sent.
    case severalSpaces(String)
    /// The `Authorization` field is not `AWS key:signature`, as sent.
    case malformedAuthorization(String)
    /// Neither `x-amz-date` nor `Date`, or one that is no date after 1970.
    case invalidDate
    /// One of `Signature`, `Expires` and `AWSAccessKeyId` is missing in the query.
    case missingParameters
    /// `Expires` is no number of seconds, as sent.
    case malformedExpires(String)
}
