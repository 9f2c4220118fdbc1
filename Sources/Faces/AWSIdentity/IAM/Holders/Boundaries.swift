import Cloud
import Directory
import HTTPTypes

extension IAMFace {
    /// Operations on permissions boundaries of users and roles. (IAM User Guide, "Permissions boundaries for IAM entities".)
    static let boundaries: [String: Operation] = [
        "PutUserPermissionsBoundary": .init { call in try await putBoundary(User.self, &call) },
        "DeleteUserPermissionsBoundary": .init { call in try await deleteBoundary(User.self, &call) },
        "PutRolePermissionsBoundary": .init { call in try await putBoundary(Role.self, &call) },
        "DeleteRolePermissionsBoundary": .init { call in try await deleteBoundary(Role.self, &call) },
    ]

    private static func putBoundary<Holder: IAMPolicyHolder & BoundedHolder>(
        _: Holder.Type, _ call: inout IAMCall
    ) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText(Holder.family.nameParameter, length: 1...64, pattern: .entityName)
        let arn = call.parameters.requiredText("PermissionsBoundary", length: 20...2048)
        try call.parameters.check()
        let found: Holder = try call.found(name)
        try call.authorize(on: found.arn, tags: found.tags, keys: [("iam:PermissionsBoundary", arn)])
        let account = call.account
        try await call.change(name) { (holder: inout Holder, directory) in
            try directory.checkBoundary(arn, in: account)
            holder.boundary = arn
        }
        return nil
    }

    private static func deleteBoundary<Holder: IAMPolicyHolder & BoundedHolder>(
        _: Holder.Type, _ call: inout IAMCall
    ) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText(Holder.family.nameParameter, length: 1...64, pattern: .entityName)
        try call.parameters.check()
        let found: Holder = try call.found(name)
        try call.authorize(on: found.arn, tags: found.tags, keys: found.boundaryKeys)
        try await call.change(name) { (holder: inout Holder, _) in
            do throws(AttachmentRefusal) {
                try holder.removeBoundary()
            } catch {
                throw error.ofBoundary(Holder.family)
            }
        }
        return nil
    }
}
