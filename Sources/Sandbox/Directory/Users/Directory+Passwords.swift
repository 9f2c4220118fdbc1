import Policy
import WireFormats

extension Directory {
    /// Returns the first rule of the account's password policy that a new password violates, or `nil` if it violates none. Each cloud has
    /// its own rules for accounts without a policy.
    /// (IAM User Guide, "Set an account password policy for IAM users"; RAM User Guide, "Configure a password policy".)
    func fault(ofPassword password: String, of user: User) -> PasswordFault? {
        let account = accounts[user.account]
        switch (Vendor(account: user.account), account?.passwordPolicy) {
        case (.aws, let policy?): return policy.fault(of: password, of: user, kinds: PasswordKinds(password))
        case (.aws, nil): return account.flatMap { Self.standardFault(of: password, in: $0) }
        case (.alibaba, let policy):
            let kinds = PasswordKinds(password, symbols: PasswordKinds.symbolsOfRAM)
            let isTooLong = password.unicodeScalars.count > PasswordPolicy.longestOfRAM
            return (policy ?? .ofRAM).fault(of: password, of: user, kinds: kinds) ?? (isTooLong ? .tooLong : nil)
        }
    }

    /// The rules of AWS for accounts that have set no policy.
    private static func standardFault(of password: String, in account: Account) -> PasswordFault? {
        let kinds = PasswordKinds(password)
        guard password.unicodeScalars.count >= 8 else { return .tooShort(minimum: 8) }
        guard [kinds.hasUppercase, kinds.hasLowercase, kinds.hasNumber, kinds.hasSymbol].count(where: \.self) >= 3 else {
            return .tooFewKinds
        }
        return password == account.alias || password == account.mailAddress ? .accountName : nil
    }
}

extension PasswordPolicy {
    fileprivate func fault(of password: String, of user: User, kinds: PasswordKinds) -> PasswordFault? {
        let faults: [(Bool, PasswordFault)] = [
            (password.unicodeScalars.count < minimumLength, .tooShort(minimum: minimumLength)),
            (requiresUppercase && !kinds.hasUppercase, .noUppercase), (requiresLowercase && !kinds.hasLowercase, .noLowercase),
            (requiresNumbers && !kinds.hasNumber, .noNumber), (requiresSymbols && !kinds.hasSymbol, .noSymbol),
            (user.loginProfile?.hasUsed(password, amongLast: reusePrevention) == true, .usedBefore),
        ]
        return faults.first(where: \.0)?.1
    }
}

/// The kinds of character that a password has.
private struct PasswordKinds {
    private(set) var hasUppercase = false
    private(set) var hasLowercase = false
    private(set) var hasNumber = false
    private(set) var hasSymbol = false

    /// (IAM API Reference, "UpdateAccountPasswordPolicy", `RequireSymbols`.)
    static let symbolsOfIAM = Set("!@#$%^&*()_+-=[]{}|'".unicodeScalars)
    /// Everything that ASCII prints and that is neither a letter nor a digit.
    static let symbolsOfRAM = Set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".unicodeScalars)

    init(_ password: String, symbols: Set<Unicode.Scalar> = symbolsOfIAM) {
        for scalar in password.unicodeScalars {
            switch scalar {
            case "A"..."Z": hasUppercase = true
            case "a"..."z": hasLowercase = true
            case "0"..."9": hasNumber = true
            default: hasSymbol = hasSymbol || symbols.contains(scalar)
            }
        }
    }
}
