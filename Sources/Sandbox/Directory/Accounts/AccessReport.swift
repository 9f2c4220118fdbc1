package import WireFormats

/// A requested report on the last access to services. Its data comes from the journal.
/// (IAM API Reference, "GenerateServiceLastAccessedDetails".)
package struct AccessReport: Sendable, Codable {
    /// The job ID, a UUID.
    package var id: String
    /// The ARN of the user, group, role or policy that the report is about.
    package var arn: String
    /// Whether the report includes actions in addition to services.
    package var tellsActions: Bool
    /// When the report was requested.
    package var created: Timestamp

    package init(id: String, arn: String, tellsActions: Bool, created: Timestamp) {
        self.id = id
        self.arn = arn
        self.tellsActions = tellsActions
        self.created = created
    }
}
