import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension IAMFace {
    /// Operations on users' passwords. The sandbox has no console for signing in, but it stores and checks passwords.
    static let loginProfiles: [String: Operation] = [
        "CreateLoginProfile": createLoginProfile, "GetLoginProfile": getLoginProfile, "UpdateLoginProfile": updateLoginProfile,
        "DeleteLoginProfile": deleteLoginProfile, "ChangePassword": changePassword,
    ]

    private static func createLoginProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let password = call.parameters.requiredPassword("Password")
        let mustChange = try call.parameters.flag("PasswordResetRequired") ?? false
        let user = try user(&call)
        let profile = LoginProfile(password: password, created: call.now, mustChange: mustChange)
        try await call.cloud.edit { [account = call.account] directory in
            guard var user = directory.user(user.name, in: account)?.user else { throw HolderFamily.user.missing(user.name) }
            guard user.loginProfile == nil else {
                throw QueryError.entityAlreadyExists("Login Profile for user \(user.name) already exists.")
            }
            try directory.check(password, of: user)
            user.loginProfile = profile
            directory.put(.user(user))
        }
        return { xml in xml.element("LoginProfile") { profile.encode(into: &$0, of: user) } }
    }

    private static func getLoginProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let user = try user(&call)
        let profile = try profile(of: user)
        return { xml in xml.element("LoginProfile") { profile.encode(into: &$0, of: user) } }
    }

    private static func updateLoginProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let password = call.parameters.password("Password")
        let mustChange = try call.parameters.flag("PasswordResetRequired")
        let user = try user(&call, isNamed: true)
        let now = call.now
        try await call.change(user.name) { (user: inout User, directory) in
            var profile = try profile(of: user)
            if let password {
                try directory.check(password, of: user)
                profile.setPassword(password, at: now)
            }
            profile.mustChange = mustChange ?? profile.mustChange
            user.loginProfile = profile
        }
        return nil
    }

    private static func deleteLoginProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let user = try user(&call)
        try await call.change(user.name) { (user: inout User, _) in
            _ = try profile(of: user)
            user.loginProfile = nil
        }
        return nil
    }

    /// ChangePassword. Changes the caller's own password, if a policy or the account's password policy allows it.
    private static func changePassword(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let old = call.parameters.requiredPassword("OldPassword")
        let new = call.parameters.requiredPassword("NewPassword")
        try call.parameters.check()
        guard case .user(let entry, _) = call.caller else {
            throw QueryError("InvalidUserType", .badRequest, "Only IAM Users can change their own password.")
        }
        let verdict = call.verdict(on: entry.arn, tags: entry.user.tags)
        switch verdict.decision.outcome {
        case .implicitDeny where call.directory.accounts[call.account]?.passwordPolicy?.allowsUsersToChange == true: break
        default: try call.refuse(verdict)
        }
        let now = call.now
        try await call.change(entry.user.name) { (user: inout User, directory) in
            var profile = try profile(of: user)
            guard profile.password == old else {
                throw QueryError("AccessDenied", .forbidden, "The old password was incorrect.")
            }
            guard new != old else {
                throw QueryError.passwordPolicyViolation(
                    "Policy constraint violation with password reuse prevention during password change.")
            }
            try directory.check(new, of: user)
            profile.setPassword(new, at: now)
            profile.mustChange = false
            user.loginProfile = profile
        }
        return nil
    }

    /// Returns the user that the call names, or the calling user. Authorizes the call.
    private static func user(_ call: inout IAMCall, isNamed: Bool = false) throws(QueryError) -> User {
        let name =
            isNamed
            ? call.parameters.requiredText("UserName", length: 1...64, pattern: .entityName)
            : call.parameters.text("UserName", length: 1...64, pattern: .entityName)
        try call.parameters.check()
        let user = try call.user(name)
        try call.authorize(on: user.arn, tags: user.tags)
        return user
    }

    private static func profile(of user: User) throws(QueryError) -> LoginProfile {
        guard let profile = user.loginProfile else { throw .noSuchEntity("Login Profile for User \(user.name) cannot be found.") }
        return profile
    }
}

extension LoginProfile {
    fileprivate func encode(into xml: inout XMLWriter, of user: User) {
        xml.element("UserName", user.name)
        xml.element("CreateDate", created.iso8601)
        xml.element("PasswordResetRequired", mustChange)
    }
}

extension QueryParameters {
    fileprivate mutating func password(_ name: String) -> String? { text(name, length: 1...128, pattern: .policy) }

    fileprivate mutating func requiredPassword(_ name: String) -> String { requiredText(name, length: 1...128, pattern: .policy) }
}
