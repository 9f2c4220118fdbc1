import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension IAMFace {
    /// Operations on users' passwords. The sandbox has no console for signing in, but it stores and checks passwords.
    static let loginProfiles: [String: Operation] = [
        "CreateLoginProfile": .init(createLoginProfile), "GetLoginProfile": .init(getLoginProfile),
        "UpdateLoginProfile": .init(updateLoginProfile),
        "DeleteLoginProfile": .init(deleteLoginProfile), "ChangePassword": .init(changePassword),
    ]

    private static func createLoginProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let password = call.parameters.requiredPassword("Password")
        let mustChange = try call.parameters.flag("PasswordResetRequired") ?? false
        let signInDuration = try call.parameters.signInDuration()
        let user = try user(&call)
        var profile = LoginProfile(password: password, created: call.now, mustChange: mustChange)
        profile.maximumSignInDuration = signInDuration
        try await call.perform { [account = call.account, profile] directory throws(LoginProfileRefusal) in
            try directory.createLoginProfile(profile, for: user.name, in: account)
        }
        return { [profile] xml in xml.element("LoginProfile") { profile.encode(into: &$0, of: user) } }
    }

    private static func getLoginProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let user = try user(&call)
        guard let profile = user.loginProfile else { throw LoginProfileRefusal.noSuchProfile(user: user.name).inWordsOfIAM }
        return { xml in xml.element("LoginProfile") { profile.encode(into: &$0, of: user) } }
    }

    private static func updateLoginProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let password = call.parameters.password("Password")
        let mustChange = try call.parameters.flag("PasswordResetRequired")
        let signIn = try SignInDurationChange(&call.parameters)
        let user = try user(&call, isNamed: true)
        _ = try await call.perform { [account = call.account, now = call.now] directory throws(LoginProfileRefusal) in
            try directory.updateLoginProfile(of: user.name, in: account, password: password, at: now) { profile in
                profile.mustChange = mustChange ?? profile.mustChange
                signIn.apply(to: &profile.maximumSignInDuration)
            }
        }
        return nil
    }

    private static func deleteLoginProfile(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let user = try user(&call)
        try await call.perform { [account = call.account] directory throws(LoginProfileRefusal) in
            try directory.deleteLoginProfile(of: user.name, in: account)
        }
        return nil
    }

    /// ChangePassword. Changes the caller's own password, if a policy or the account's password policy allows it.
    private static func changePassword(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let old = call.parameters.requiredPassword("OldPassword")
        let new = call.parameters.requiredPassword("NewPassword")
        try call.parameters.check()
        guard case .user(let entry, _) = call.caller else {
            throw ServiceError("InvalidUserType", .badRequest, "Only IAM Users can change their own password.")
        }
        let verdict = call.verdict(on: entry.arn, tags: entry.user.tags)
        switch verdict.decision.outcome {
        case .implicitDeny where call.directory.accounts[call.account]?.passwordPolicy?.allowsUsersToChange == true: break
        default: try call.refuse(verdict)
        }
        try await call.perform { [account = call.account, now = call.now] directory throws(LoginProfileRefusal) in
            try directory.changePassword(of: entry.user.name, in: account, from: old, to: new, at: now)
        }
        return nil
    }

    /// Returns the user that the call names, or the calling user. Authorizes the call.
    private static func user(_ call: inout IAMCall, isNamed: Bool = false) throws(ServiceError) -> User {
        let name =
            isNamed
            ? call.parameters.requiredText("UserName", length: 1...64, pattern: .entityName)
            : call.parameters.text("UserName", length: 1...64, pattern: .entityName)
        try call.parameters.check()
        let user = try call.user(name)
        try call.authorize(on: user.arn, tags: user.tags)
        return user
    }
}

extension LoginProfile {
    fileprivate func encode(into xml: inout XMLWriter, of user: User) {
        xml.element("UserName", user.name)
        xml.element("CreateDate", created.iso8601)
        xml.element("PasswordResetRequired", mustChange)
        if let maximumSignInDuration { xml.element("MaxSigninSessionDuration", maximumSignInDuration) }
    }
}

extension QueryParameters {
    fileprivate mutating func password(_ name: String) -> String? { text(name, length: 1...128, pattern: .policy) }

    fileprivate mutating func requiredPassword(_ name: String) -> String { requiredText(name, length: 1...128, pattern: .policy) }
}
