import Cryptography
package import Policy
import WireFormats

/// An account of the sandbox, at AWS or at Alibaba Cloud: the owner of users, roles and buckets.
package struct Account: Sendable, Codable {
    /// The account number: twelve digits at AWS, sixteen at Alibaba Cloud.
    package var id: String
    /// The display name of the owner in ACLs and listings.
    package var name: String
    /// The root user's mail address, if one was given.
    package var email: String?
    /// The canonical user ID, if it is not derived from the account number.
    package var givenCanonicalUserID: String?
    /// Access keys of the root user. They allow every action that no policy denies.
    package var rootKeys: [AccessKey]
    /// The alias for signing in, if there is one. (IAM User Guide, "Your AWS account ID and its alias".)
    package var alias: String?
    /// The policy that `UpdateAccountPasswordPolicy` set; `nil` if the defaults of AWS apply.
    package var passwordPolicy: PasswordPolicy?
    /// The server certificates.
    @Filled package var serverCertificates: [ServerCertificate]
    /// The latest report of `GenerateCredentialReport`.
    package var credentialReport: CredentialReport?
    /// The reports that `GenerateServiceLastAccessedDetails` started.
    @Filled package var accessReports: [AccessReport]
    /// The issuer of the account's tokens for external services, once it was created.
    package var outboundIssuer: OutboundIssuer?
    /// Whether `SetSecurityTokenServicePreferences` requested tokens of the second version; `nil` if it was never called.
    package var givesLongGlobalTokens: Bool?
    /// The preference that `SetSecurityPreference` of RAM set; `nil` if its defaults apply.
    package var securityPreference: SecurityPreference?
    /// Whether OSS blocks public access for the whole account; `nil` if it was never set.
    package var blocksPublicAccess: Bool?

    package init(id: String, name: String, email: String? = nil, canonicalUserID: String? = nil, rootKeys: [AccessKey]) {
        self.id = id
        self.name = name
        self.email = email
        givenCanonicalUserID = canonicalUserID
        self.rootKeys = rootKeys
        serverCertificates = []
        accessReports = []
    }

    /// Returns the account with another root access key in place of those that it has.
    /// - Parameter keys: the keys by account ID. An account without a key there, or without root keys, is returned unchanged.
    package func withRootKey(of keys: [String: AccessKey]) -> Account {
        guard let key = keys[id], !rootKeys.isEmpty else { return self }
        var account = self
        account.rootKeys = [key]
        return account
    }

    /// The ARN of the root user: `arn:aws:iam::<id>:root`, or `acs:ram::<id>:root` at Alibaba Cloud.
    package var rootARN: String { identityARN(id, "root", "") }

    /// The cloud that the account belongs to.
    package var vendor: Vendor { Vendor(account: id) }

    /// The root user's mail address. Unless another was given, it is in the domain that is reserved for examples (RFC 2606).
    package var mailAddress: String { email ?? "\(name)@example.com" }

    /// The canonical user ID, which identifies the account in ACLs.
    package var canonicalUserID: String { givenCanonicalUserID ?? Self.canonicalUserID(of: id) }

    /// Returns the default canonical user ID of an account: 64 hexadecimal digits, which identify it in ACLs.
    /// (AWS Account Management Reference, "Canonical user ID".)
    package static func canonicalUserID(of account: String) -> String {
        // Alibaba Cloud identifies owners by their account numbers.
        if Vendor(account: account) == .alibaba { return account }
        return account == Vendor.anonymous ? anonymousCanonicalUserID : SHA256.hash("canonical user \(account)").hex
    }

    /// The owner that S3 returns for objects that anonymous callers wrote.
    private static let anonymousCanonicalUserID = "65a011a29cdf8ec533ec3d1ccaae921c"
}
