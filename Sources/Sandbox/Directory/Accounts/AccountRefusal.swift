/// The reason why an account is not changed. Each cloud writes it in its own words.
package enum AccountRefusal: Error, Equatable {
    /// There is no account with this identifier.
    case noSuchAccount(String)
    /// Another account of the cloud has this alias.
    case aliasAlreadyExists(String)
    /// The account does not have this alias.
    case noSuchAlias(String)
    /// The account has no password policy of its own.
    case noPasswordPolicy
}

/// The reason why the issuer of an account's own tokens is not switched.
package enum OutboundIssuerRefusal: Error, Equatable {
    case alreadyEnabled
    case alreadyDisabled
}
