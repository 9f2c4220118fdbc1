import WireFormats

/// How keys, prefixes and markers are written in a listing, so that every key can be represented in XML.
package enum KeyEncoding: Sendable {
    /// As they are.
    case plain
    /// With the percent encoding of a path, as in OSS and RADOS Gateway.
    case percent
    /// As a form encodes them, except for the slash, as in S3: a space is a plus sign, `*` stays and `~` is encoded.
    /// (Measured in S3 in brekkylab/backlot#178 and bcgov/gwells#1801; the last two from MinIO's list of exceptions.)
    case form

    /// Returns a text in this encoding.
    package func encoded(_ text: String) -> String {
        switch self {
        case .plain: text
        case .percent: percentEncoded(text, keepingSlash: true)
        case .form: formEncodedPath(text)
        }
    }
}
