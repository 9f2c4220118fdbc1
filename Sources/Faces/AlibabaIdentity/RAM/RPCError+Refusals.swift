import Cloud
import Directory
import HTTPTypes
import WireFormats

/// A refusal by the directory that RAM and IMS have words for.
protocol RAMRefusal: Error {
    /// The refusal in the words of RAM and IMS.
    var inWordsOfRAM: RPCError { get }
}

extension RPCCall {
    /// Performs an operation on the directory, and writes its refusal in the words of RAM and IMS.
    func perform<Result: Sendable, Refusal: RAMRefusal>(
        _ operation: (inout Directory) throws(Refusal) -> Result
    ) async throws -> Result {
        try await cloud.edit(saying: \.inWordsOfRAM, operation)
    }
}

extension LoginProfileRefusal: RAMRefusal {
    var inWordsOfRAM: RPCError { inWordsOfRAM(about: "Password") }

    /// The refusal in the words of RAM and IMS.
    /// - Parameter parameter: the parameter with the new password.
    func inWordsOfRAM(about parameter: String) -> RPCError {
        switch self {
        case .noSuchUser: .notExist("User", "user")
        case .noSuchProfile: .notExist("User.LoginProfile", "user login profile")
        case .profileAlreadyExists: .alreadyExists("User.LoginProfile", "user login profile")
        case .wrongPassword: .incorrect("OldPassword")
        case .samePassword, .password:
            RPCError(
                "InvalidParameter.\(parameter).TooWeak", .badRequest,
                "The parameter - \"\(parameter)\" is not compliant with the password policy.")
        }
    }
}

extension AccountRefusal: RAMRefusal {
    var inWordsOfRAM: RPCError {
        switch self {
        case .aliasAlreadyExists: RPCError("EntityAlreadyExists.AccountAlias", .conflict, "The account alias does already exist.")
        // RAM knows callers of accounts that exist, and resets alias and password policy without a condition.
        case .noSuchAccount, .noSuchAlias, .noPasswordPolicy: RPCError(failure: self)
        }
    }
}

extension OpenIDConnectTrustRefusal: RAMRefusal {
    var inWordsOfRAM: RPCError {
        switch self {
        case .noSuchProvider: .notExist("OIDCProvider", "OIDC provider")
        case .alreadyExists: .alreadyExists("OIDCProvider", "OIDC provider")
        case .urlAlreadyExists: .alreadyExists("OIDCProvider.IssuerUrl", "issuer URL of the OIDC provider")
        case .noSuchClientID: .notExist("OIDCProvider.ClientId", "client id of the OIDC provider")
        case .noSuchThumbprint: .notExist("OIDCProvider.Fingerprint", "fingerprint of the OIDC provider")
        // IMS has no operation that replaces all fingerprints.
        case .noThumbprints: .missing("Fingerprint")
        case .limitExceeded(.providersOfAccount, _): .limitExceeded("OIDCProvider", "count of OIDC providers")
        case .limitExceeded(.clientIDs, _): .limitExceeded("OIDCProvider.ClientId", "count of client ids")
        case .limitExceeded(.thumbprints, _): .limitExceeded("OIDCProvider.Fingerprint", "count of fingerprints")
        }
    }
}

extension SAMLTrustRefusal: RAMRefusal {
    var inWordsOfRAM: RPCError {
        switch self {
        case .noSuchProvider: .notExist("SAMLProvider", "SAML provider")
        case .alreadyExists: .alreadyExists("SAMLProvider", "SAML provider")
        case .limitExceeded: .limitExceeded("SAMLProvider", "count of SAML providers")
        }
    }
}
