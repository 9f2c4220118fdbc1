import Cloud
import Directory
import HTTPTypes

extension Directory {
    /// Rejects a password that does not comply with the policy of the user's account.
    /// (IAM User Guide, "Set an account password policy for IAM users".)
    func check(_ password: String, of user: User) throws(QueryError) {
        guard let account = accounts[user.account] else { return }
        guard let policy = account.passwordPolicy else { return try checkDefault(password, of: account) }
        let kinds = PasswordKinds(password)
        let faults = [
            (password.unicodeScalars.count < policy.minimumLength, "have a minimum length of \(policy.minimumLength)"),
            (policy.requiresUppercase && !kinds.hasUppercase, "have at least one uppercase letter"),
            (policy.requiresLowercase && !kinds.hasLowercase, "have at least one lowercase letter"),
            (policy.requiresNumbers && !kinds.hasNumber, "have at least one number"),
            (policy.requiresSymbols && !kinds.hasSymbol, "have at least one symbol"),
            (user.loginProfile?.hasUsed(password, amongLast: policy.reusePrevention) == true, "not be one that was used before"),
        ]
        if let (_, what) = faults.first(where: \.0) { throw .passwordPolicyViolation("Password should \(what)") }
    }

    /// Applies the default policy of accounts that have set none.
    private func checkDefault(_ password: String, of account: Account) throws(QueryError) {
        let kinds = PasswordKinds(password)
        guard password.unicodeScalars.count >= 8 else {
            throw .passwordPolicyViolation("Password should have a minimum length of 8")
        }
        guard [kinds.hasUppercase, kinds.hasLowercase, kinds.hasNumber, kinds.hasSymbol].count(where: \.self) >= 3 else {
            throw .passwordPolicyViolation(
                "Password should have a minimum of three of the following mix of character types: "
                    + "uppercase, lowercase, numbers, and non-alphanumeric characters")
        }
        guard password != account.alias, password != account.mailAddress else {
            throw .passwordPolicyViolation("Password should not be identical to the AWS account name or email address")
        }
    }
}

extension QueryError {
    static func passwordPolicyViolation(_ message: String) -> QueryError {
        QueryError("PasswordPolicyViolation", .badRequest, message)
    }
}

/// The kinds of characters in a password.
private struct PasswordKinds {
    var hasUppercase = false
    var hasLowercase = false
    var hasNumber = false
    var hasSymbol = false

    init(_ password: String) {
        for scalar in password.unicodeScalars {
            switch scalar {
            case "A"..."Z": hasUppercase = true
            case "a"..."z": hasLowercase = true
            case "0"..."9": hasNumber = true
            case _ where "!@#$%^&*()_+-=[]{}|'".unicodeScalars.contains(scalar): hasSymbol = true
            default: break
            }
        }
    }
}
