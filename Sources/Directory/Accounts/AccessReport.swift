package import WireFormats

/// A report on who last used which service, as it was asked for: what it tells is in the journal.
/// (IAM API Reference, "GenerateServiceLastAccessedDetails".)
package struct AccessReport: Sendable, Codable {
    /// A UUID.
    package var id: String
    /// The user, group, role or policy that it is about.
    package var arn: String
    /// Whether it tells of actions beside services.
    package var tellsActions: Bool
    /// When the report was ordered.
    package var created: Timestamp

    package init(id: String, arn: String, tellsActions: Bool, created: Timestamp) {
        self.id = id
        self.arn = arn
        self.tellsActions = tellsActions
        self.created = created
    }
}
