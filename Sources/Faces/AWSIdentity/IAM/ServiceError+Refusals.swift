import Cloud
import Directory
import HTTPTypes
import WireFormats

/// A refusal by the directory that IAM has words for.
protocol IAMRefusal: Error {
    /// The refusal in the words of IAM.
    var inWordsOfIAM: ServiceError { get }
}

extension IAMCall {
    /// Performs an operation on the directory, and writes its refusal in the words of IAM.
    func perform<Result: Sendable, Refusal: IAMRefusal>(
        _ operation: (inout Directory) throws(Refusal) -> Result
    ) async throws -> Result {
        try await cloud.edit(saying: \.inWordsOfIAM, operation)
    }
}

extension LoginProfileRefusal: IAMRefusal {
    var inWordsOfIAM: ServiceError {
        switch self {
        case .noSuchUser(let name): HolderFamily.user.missing(name)
        case .noSuchProfile(let user): .noSuchEntity("Login Profile for User \(user) cannot be found.")
        case .profileAlreadyExists(let user): .entityAlreadyExists("Login Profile for user \(user) already exists.")
        case .wrongPassword: ServiceError("AccessDenied", .forbidden, "The old password was incorrect.")
        case .samePassword:
            .passwordPolicyViolation("Policy constraint violation with password reuse prevention during password change.")
        case .password(let fault): .passwordPolicyViolation("Password should \(fault.rule)")
        }
    }
}

extension ServiceError {
    fileprivate static func passwordPolicyViolation(_ message: String) -> ServiceError {
        ServiceError("PasswordPolicyViolation", .badRequest, message)
    }
}

extension PasswordFault {
    /// What a password should do.
    fileprivate var rule: String {
        switch self {
        case .tooShort(let minimum): "have a minimum length of \(minimum)"
        // The parameter itself takes no longer one.
        case .tooLong: "have a maximum length of 128"
        case .noUppercase: "have at least one uppercase letter"
        case .noLowercase: "have at least one lowercase letter"
        case .noNumber: "have at least one number"
        case .noSymbol: "have at least one symbol"
        case .usedBefore: "not be one that was used before"
        case .tooFewKinds:
            "have a minimum of three of the following mix of character types: "
                + "uppercase, lowercase, numbers, and non-alphanumeric characters"
        case .accountName: "not be identical to the AWS account name or email address"
        }
    }
}

extension AccountRefusal: IAMRefusal {
    var inWordsOfIAM: ServiceError {
        switch self {
        case .noSuchAccount: .invalidClientToken
        case .aliasAlreadyExists(let alias): .entityAlreadyExists("The account alias \(alias) already exists.")
        case .noSuchAlias(let alias): .noSuchEntity("The account alias with name \(alias) cannot be found.")
        case .noPasswordPolicy: .noSuchEntity("The account policy with name PasswordPolicy cannot be found.")
        }
    }
}

extension DeviceRefusal: IAMRefusal {
    var inWordsOfIAM: ServiceError {
        switch self {
        case .alreadyExists: .entityAlreadyExists("MFA device already exists.")
        case .noSuchDevice(let serial): .noSuchEntity("VirtualMFADevice with serial number \(serial) doesn't exist.")
        case .alreadyEnabled(let user): .entityAlreadyExists("MFA Device for user \(user.isEmpty ? "root" : user) already exists.")
        case .usedByAnother: .entityAlreadyExists("MFA Device is already in use.")
        case .notOfUser: .noSuchEntity("MFA Device invalid for user.")
        case .inUse: .deleteConflict("MFA VirtualDevice in use. Must deactivate first.")
        case .limitExceeded(let limit): .limitExceeded("Cannot exceed quota for MFADevicesPerUser: \(limit)")
        case .wrongCodes: ServiceError("InvalidAuthenticationCode", .forbidden, "Authentication code for device is not valid.")
        }
    }
}

extension InstanceProfileRefusal: IAMRefusal {
    var inWordsOfIAM: ServiceError {
        switch self {
        case .alreadyExists(let name): .entityAlreadyExists("Instance Profile \(name) already exists.")
        case .noSuchProfile(let name): .missingProfile(name)
        case .noSuchRole(let name): .missingRole(name)
        case .protectedRole(let name): .protectedRole(name)
        case .limitExceeded(let limit): .limitExceeded("Cannot exceed quota for InstanceSessionsPerInstanceProfile: \(limit)")
        case .roleNotInProfile(let role, let profile):
            .noSuchEntity("Role \(role) in instance profile \(profile) cannot be found.")
        case .notEmpty: .deleteConflict("Cannot delete entity, must remove roles from instance profile first.")
        }
    }
}

extension ServiceLinkedRoleRefusal: IAMRefusal {
    var inWordsOfIAM: ServiceError {
        switch self {
        case .alreadyExists(let name):
            .invalidInput("Service role name \(name) has been taken in this account, please try a different suffix.")
        case .noSuchRole(let name): .missingRole(name)
        }
    }
}

extension SAMLTrustRefusal: IAMRefusal {
    var inWordsOfIAM: ServiceError {
        switch self {
        case .noSuchProvider(let arn): .missingSAMLProvider(arn)
        case .alreadyExists(let arn): .entityAlreadyExists("SAMLProvider \(arn) already exists.")
        case .limitExceeded(let limit): .limitExceeded("Cannot exceed quota for SAMLProvidersPerAccount: \(limit)")
        }
    }
}

extension SAMLPrivateKeyRefusal: IAMRefusal {
    var inWordsOfIAM: ServiceError {
        switch self {
        case .invalidKey: .invalidInput("The private key is not valid.")
        case .noSuchKey(let id): .noSuchEntity("Private key \(id) cannot be found.")
        case .limitExceeded(let limit): .limitExceeded("Cannot exceed quota for PrivateKeysPerSAMLProvider: \(limit)")
        case .keyRequired: .invalidInput("A private key is required when the assertion encryption mode is Required.")
        }
    }
}

extension OpenIDConnectTrustRefusal: IAMRefusal {
    var inWordsOfIAM: ServiceError {
        switch self {
        case .noSuchProvider(let arn): .missingOpenIDConnectProvider(arn)
        case .alreadyExists(let url), .urlAlreadyExists(let url): .entityAlreadyExists("Provider with url \(url) already exists.")
        case .noThumbprints: .invalidInput("Thumbprint list must contain at least one entry.")
        // Our own words: IAM removes what is not there without an error.
        case .noSuchClientID(let id): .noSuchEntity("The client ID \(id) cannot be found.")
        case .noSuchThumbprint(let print): .noSuchEntity("The thumbprint \(print) cannot be found.")
        case .limitExceeded(.providersOfAccount, let limit):
            .limitExceeded("Cannot exceed quota for OpenIdConnectProvidersPerAccount: \(limit)")
        case .limitExceeded(.clientIDs, let limit):
            .limitExceeded("Cannot exceed quota for ClientIdsPerOpenIdConnectProvider: \(limit)")
        case .limitExceeded(.thumbprints, let limit): .invalidInput("Thumbprint list must contain fewer than \(limit) entries.")
        }
    }
}
