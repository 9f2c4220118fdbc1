import Cloud
import HTTPTypes

extension IAMFace {
    /// What bounds the permissions of users. (IAM User Guide, "Permissions boundaries for IAM entities".)
    static let boundaries: [String: Operation] = [
        "PutUserPermissionsBoundary": putBoundary, "DeleteUserPermissionsBoundary": deleteBoundary,
    ]

    private static func putBoundary(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("UserName", length: 1...64, pattern: .entityName)
        let arn = call.parameters.requiredText("PermissionsBoundary", length: 20...2048)
        try call.parameters.check()
        let found: User = try call.found(name)
        try call.authorize(on: found.arn, tags: found.tags, keys: [("iam:PermissionsBoundary", arn)])
        let account = call.account
        try await call.change(name) { (user: inout User, directory) in
            try directory.checkBoundary(arn, in: account)
            user.boundary = arn
        }
        return nil
    }

    private static func deleteBoundary(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("UserName", length: 1...64, pattern: .entityName)
        try call.parameters.check()
        let found: User = try call.found(name)
        try call.authorize(on: found.arn, tags: found.tags, keys: found.boundaryKeys)
        try await call.change(name) { (user: inout User, _) in
            guard user.boundary != nil else {
                throw QueryError.noSuchEntity("User with name \(user.name) has no permissions boundary.")
            }
            user.boundary = nil
        }
        return nil
    }
}
