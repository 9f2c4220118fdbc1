import Policy
import WireFormats

extension Directory {
    /// Changes an account.
    /// - Returns: what `change` returns.
    /// - Throws: `AccountRefusal.noSuchAccount`, or what `change` throws.
    @discardableResult
    package mutating func updateAccount<Result>(_ id: String, _ change: (inout Account) throws -> Result) throws -> Result {
        guard var account = accounts[id] else { throw AccountRefusal.noSuchAccount(id) }
        let result = try change(&account)
        put(.account(account))
        return result
    }

    /// Sets the alias of an account, in place of the one that it has. Aliases are unique in a cloud.
    /// - Throws: `noSuchAccount` or `aliasAlreadyExists`, in this order.
    package mutating func setAlias(_ alias: String, of id: String) throws(AccountRefusal) {
        guard var account = accounts[id] else { throw .noSuchAccount(id) }
        let isTaken = accounts.values.contains { $0.id != id && $0.vendor == account.vendor && $0.alias == alias }
        guard !isTaken else { throw .aliasAlreadyExists(alias) }
        account.alias = alias
        put(.account(account))
    }

    /// Removes the alias of an account.
    /// - Parameter alias: the alias that the account must have, or `nil` for any or none.
    /// - Throws: `noSuchAccount` or `noSuchAlias`, in this order.
    package mutating func removeAlias(_ alias: String? = nil, of id: String) throws(AccountRefusal) {
        guard var account = accounts[id] else { throw .noSuchAccount(id) }
        if let alias, account.alias != alias { throw .noSuchAlias(alias) }
        account.alias = nil
        put(.account(account))
    }

    /// Sets the password policy of an account.
    /// - Throws: `noSuchAccount`.
    package mutating func setPasswordPolicy(_ policy: PasswordPolicy, of id: String) throws(AccountRefusal) {
        guard var account = accounts[id] else { throw .noSuchAccount(id) }
        account.passwordPolicy = policy
        put(.account(account))
    }

    /// Removes the password policy of an account, so that the cloud's default holds.
    /// - Throws: `noSuchAccount` or `noPasswordPolicy`, in this order.
    package mutating func removePasswordPolicy(of id: String) throws(AccountRefusal) {
        guard var account = accounts[id] else { throw .noSuchAccount(id) }
        guard account.passwordPolicy != nil else { throw .noPasswordPolicy }
        account.passwordPolicy = nil
        put(.account(account))
    }

    /// Switches on the issuer of an account's own tokens. The issuer keeps its identifier.
    /// - Parameter id: the identifier of an issuer that is switched on for the first time.
    /// - Throws: `alreadyEnabled`.
    package mutating func enableOutboundIssuer(of account: String, id: String) throws(OutboundIssuerRefusal) -> OutboundIssuer {
        guard var record = accounts[account], record.outboundIssuer?.isEnabled != true else { throw .alreadyEnabled }
        let issuer = OutboundIssuer(id: record.outboundIssuer?.id ?? id, isEnabled: true)
        record.outboundIssuer = issuer
        put(.account(record))
        return issuer
    }

    /// Switches off the issuer of an account's own tokens. Tokens that it has issued can still be verified.
    /// - Throws: `alreadyDisabled`.
    package mutating func disableOutboundIssuer(of account: String) throws(OutboundIssuerRefusal) {
        guard var record = accounts[account], record.outboundIssuer?.isEnabled == true else { throw .alreadyDisabled }
        record.outboundIssuer?.isEnabled = false
        put(.account(record))
    }
}
