import Cryptography
import Policy
package import WireFormats

extension Directory {
    /// Gives a user a login profile.
    /// - Throws: `noSuchUser`, `profileAlreadyExists` or `password`, in this order.
    package mutating func createLoginProfile(
        _ profile: LoginProfile, for name: String, in account: String
    ) throws(LoginProfileRefusal) {
        guard var user = user(name, in: account)?.user else { throw .noSuchUser(name) }
        guard user.loginProfile == nil else { throw .profileAlreadyExists(user: user.name) }
        try check(profile.password, of: user)
        user.loginProfile = profile
        put(.user(user))
    }

    /// Changes the login profile of a user.
    /// - Parameters:
    ///   - password: the new password, or `nil` if it stays.
    ///   - time: when the password changes.
    ///   - change: changes the rest of the profile.
    /// - Returns: the profile after the change.
    /// - Throws: `noSuchUser`, `noSuchProfile` or `password`, in this order.
    @discardableResult
    package mutating func updateLoginProfile(
        of name: String, in account: String, password: String?, at time: Timestamp, _ change: (inout LoginProfile) -> Void
    ) throws(LoginProfileRefusal) -> LoginProfile {
        var (user, profile) = try userWithProfile(name, in: account)
        if let password {
            try check(password, of: user)
            profile.setPassword(password, at: time)
        }
        change(&profile)
        user.loginProfile = profile
        put(.user(user))
        return profile
    }

    /// Deletes the login profile of a user.
    /// - Throws: `noSuchUser` or `noSuchProfile`, in this order.
    package mutating func deleteLoginProfile(of name: String, in account: String) throws(LoginProfileRefusal) {
        var (user, _) = try userWithProfile(name, in: account)
        user.loginProfile = nil
        put(.user(user))
    }

    /// Changes a user's own password. The user does not have to change it at the next login.
    /// - Throws: `noSuchUser`, `noSuchProfile`, `wrongPassword`, `samePassword` (at AWS) or `password`, in this order.
    package mutating func changePassword(
        of name: String, in account: String, from old: String, to new: String, at time: Timestamp
    ) throws(LoginProfileRefusal) {
        var (user, profile) = try userWithProfile(name, in: account)
        guard constantTimeEquals(profile.password, old) else { throw .wrongPassword }
        // RAM compares with earlier passwords only where the password policy says so.
        guard Vendor(account: account) == .alibaba || new != old else { throw .samePassword }
        try check(new, of: user)
        profile.setPassword(new, at: time)
        profile.mustChange = false
        user.loginProfile = profile
        put(.user(user))
    }

    private func userWithProfile(_ name: String, in account: String) throws(LoginProfileRefusal) -> (User, LoginProfile) {
        guard let user = user(name, in: account)?.user else { throw .noSuchUser(name) }
        guard let profile = user.loginProfile else { throw .noSuchProfile(user: user.name) }
        return (user, profile)
    }

    private func check(_ password: String, of user: User) throws(LoginProfileRefusal) {
        if let fault = fault(ofPassword: password, of: user) { throw .password(fault) }
    }
}
