import HTTPTypes

extension IAMFace {
    /// What the management account of an organization says of its members' root users. No account of a sandbox is in one, which these
    /// operations answer. (IAM API Reference, "EnableOrganizationsRootSessions" and its like.)
    static let organizationFeatures: [String: Operation] = Dictionary(
        uniqueKeysWithValues: [
            "DisableOrganizationsRootCredentialsManagement", "DisableOrganizationsRootSessions",
            "EnableOrganizationsRootCredentialsManagement", "EnableOrganizationsRootSessions", "ListOrganizationsFeatures",
        ].map { ($0, hasNoOrganization) })

    private static func hasNoOrganization(_ call: inout IAMCall) async throws -> QueryService.Result? {
        // The refusal is without details (recorded of the real service in public).
        try call.authorize(on: "*", namesDetails: false)
        throw QueryError(
            "OrganizationNotFoundException", .badRequest,
            "The request was rejected because no organization is associated with your account.")
    }
}
