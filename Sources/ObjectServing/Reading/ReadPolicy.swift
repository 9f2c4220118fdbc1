/// The choices in which the real services differ when an object is read.
package struct ReadPolicy: Sendable {
    /// When an object in an archive is refused.
    package enum ArchiveCheck: Sendable {
        /// The operation reads no content.
        case never
        /// Together with the permission, before the caller of the pipeline looks at the object.
        case whenOpened
        case beforeConditions
        case afterConditions
    }

    /// When an object in an archive is refused.
    package var archive: ArchiveCheck
    /// How a range that does not fit the object is handled.
    package var fit: RangeSelection.Fit
    /// Whether entity tags in conditions match in any case.
    package var ignoresCaseOfTags: Bool
    /// Whether a date in the future is a condition. (RFC 9110 section 13.1.3 ignores it.)
    package var comparesFutureDates: Bool
    /// Whether a part that the object lacks is refused before a missing customer key.
    package var checksPartFirst: Bool

    package init(
        archive: ArchiveCheck, fit: RangeSelection.Fit = .standard, ignoresCaseOfTags: Bool = false, comparesFutureDates: Bool = false,
        checksPartFirst: Bool = false
    ) {
        self.archive = archive
        self.fit = fit
        self.ignoresCaseOfTags = ignoresCaseOfTags
        self.comparesFutureDates = comparesFutureDates
        self.checksPartFirst = checksPartFirst
    }
}
