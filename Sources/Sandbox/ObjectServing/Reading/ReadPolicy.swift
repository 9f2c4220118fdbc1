/// The rules in which the real services differ when an object is read.
package struct ReadPolicy: Sendable {
    /// When an object in an archive is refused.
    package enum ArchiveCheck: Sendable {
        /// Never, because the operation reads no content.
        case never
        /// In the first step, after the permission.
        case whenOpened
        case beforeConditions
        case afterConditions
    }

    /// When an object in an archive is refused.
    package var archive: ArchiveCheck
    /// How a range that does not fit the object is handled.
    package var fit: RangeSelection.Fit
    /// Whether entity tags in conditions are compared without regard to case.
    package var ignoresCaseOfTags: Bool
    /// Whether dates in the future are evaluated as conditions. (RFC 9110 section 13.1.3 ignores it.)
    package var comparesFutureDates: Bool
    /// Whether a missing part is reported before a missing customer key.
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
