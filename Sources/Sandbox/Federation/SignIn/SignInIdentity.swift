import Cloud
import Cryptography
package import Directory
import Policy
import WireFormats

/// An identity that signs in to AWS: an IAM user, or the root user of an account.
package struct SignInIdentity: Sendable {
    /// The ARN, which is the session of a login in configuration files.
    package let arn: String
    /// The number of the account.
    package let account: String
    /// The identity as a caller.
    package let caller: Caller
    /// The holder of the credentials.
    package let holder: SessionCredentials.Holder
    /// A text that changes with the credentials of the identity: when a user of the same name is created again, or gets another password.
    package let mark: String
    /// The maximum duration of a session in seconds.
    package let longestSession: Int

    /// The maximum duration of a session in seconds for identities without one of their own. (AWS Sign-In User Guide, "aws login".)
    package static let usualSession = 12 * 3600

    private init(_ account: Account) {
        (arn, self.account) = (account.rootARN, account.id)
        caller = .root(account, nil)
        holder = .root(account: account.id)
        (mark, longestSession) = (account.id, Self.usualSession)
    }

    private init(_ entry: UserEntry) {
        let user = entry.user
        (arn, account) = (entry.arn, user.account)
        caller = .user(entry, nil)
        holder = .user(arn: entry.arn, id: user.id)
        let password = user.loginProfile.map { "\($0.password) \($0.changed.milliseconds)" } ?? ""
        mark = SHA256.hash("\(user.id) \(password)").hex
        longestSession = min(user.loginProfile?.maximumSignInDuration ?? Self.usualSession, Self.usualSession)
    }

    /// Returns the identity with an ARN; `nil` if there is none in the accounts of AWS.
    package init?(arn: String, in directory: Directory) {
        guard let identity = Self.all(in: directory).first(where: { $0.arn == arn }) else { return nil }
        self = identity
    }

    /// Returns all identities of the accounts of AWS: the root user of each account first, then its users by name.
    package static func all(in directory: Directory) -> [SignInIdentity] {
        let accounts = directory.accounts.values.filter { Vendor(account: $0.id) == .aws }.sorted { $0.id < $1.id }
        return accounts.flatMap { account in
            let users = directory.users.values.filter { $0.user.account == account.id }.sorted { $0.user.name < $1.user.name }
            return [SignInIdentity(account)] + users.map { SignInIdentity($0) }
        }
    }
}
