import HTTPTypes

extension IAMFace {
    /// Operations with which an organization's management account controls its members' root users. A sandbox's accounts are in no
    /// organization, and the operations return that error. (IAM API Reference, "EnableOrganizationsRootSessions" and similar operations.)
    static let organizationFeatures: [String: Operation] = Dictionary(
        uniqueKeysWithValues: [
            "DisableOrganizationsRootCredentialsManagement", "DisableOrganizationsRootSessions",
            "EnableOrganizationsRootCredentialsManagement", "EnableOrganizationsRootSessions", "ListOrganizationsFeatures",
        ].map { ($0, Operation(hasNoOrganization)) })

    private static func hasNoOrganization(_ call: inout IAMCall) async throws -> QueryService.Result? {
        // The access denied error has no authorization ID (from public records of the real service).
        try call.authorize(on: "*", namesDetails: false)
        throw ServiceError(
            "OrganizationNotFoundException", .badRequest,
            "The request was rejected because no organization is associated with your account.")
    }
}
