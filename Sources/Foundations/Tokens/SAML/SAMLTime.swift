package import WireFormats

/// The times in SAML documents: `xs:dateTime` in UTC (SAML 2.0 Core section 1.3.3).
package enum SAMLTime {
    /// The reason why a text is not such a time.
    package enum Fault: Error {
        /// A date and a time, but of no time zone.
        case noTimeZone
        /// Something else.
        case notATime

        /// The reason as the end of a sentence that begins with the name of the attribute.
        package var explanation: String {
            switch self {
            case .noTimeZone: "has no time zone: times must be in UTC and end with Z"
            case .notATime: "is not a time"
            }
        }
    }

    /// Parses a time. An offset is accepted instead of `Z`.
    package static func parse(_ text: String) -> Result<Timestamp, Fault> {
        if let time = Timestamp(iso8601: text) { return .success(time) }
        return .failure(Timestamp(iso8601: text + "Z") == nil ? .notATime : .noTimeZone)
    }
}
