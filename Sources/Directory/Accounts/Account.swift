import Cryptography
package import Policy
import WireFormats

/// An account of the sandbox, at AWS or at Alibaba Cloud: the owner of users, roles and buckets.
package struct Account: Sendable, Codable {
    /// Twelve digits, at Alibaba Cloud sixteen.
    package var id: String
    /// What ACLs and listings show as the owner's display name.
    package var name: String
    /// The root user's address of mail, where one was given.
    package var email: String?
    /// The canonical user ID, where it is not the one made of the account's number.
    package var givenCanonicalUserID: String?
    /// Keys of the root user. A root key may do everything that no policy denies.
    package var rootKeys: [AccessKey]
    /// The name by which people sign in, where one was made. (IAM User Guide, "Your AWS account ID and its alias".)
    package var alias: String?
    /// What `UpdateAccountPasswordPolicy` set; `nil` if the defaults of AWS hold.
    package var passwordPolicy: PasswordPolicy?
    /// The server certificates.
    @Filled package var serverCertificates: [ServerCertificate]
    /// What `GenerateCredentialReport` made last.
    package var credentialReport: CredentialReport?
    /// What `GenerateServiceLastAccessedDetails` was asked for.
    @Filled package var accessReports: [AccessReport]
    /// The issuer of the account's tokens for services elsewhere, once there was one.
    package var outboundIssuer: OutboundIssuer?
    /// Whether `SetSecurityTokenServicePreferences` asked for tokens of the second version; `nil` if nobody ever said.
    package var givesLongGlobalTokens: Bool?
    /// What `SetSecurityPreference` of RAM set; `nil` if its defaults hold.
    package var securityPreference: SecurityPreference?
    /// Whether OSS lets nothing of the account be public; `nil` if nobody ever said.
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

    /// `arn:aws:iam::<id>:root`, and at Alibaba Cloud `acs:ram::<id>:root`
    package var rootARN: String { identityARN(id, "root", "") }

    /// The cloud that the account belongs to.
    package var vendor: Vendor { Vendor(account: id) }

    /// The root user's address of mail; one of the domain that is kept for examples (RFC 2606) unless another was given.
    package var mailAddress: String { email ?? "\(name)@example.com" }

    /// The identifier by which lists of access control name the account.
    package var canonicalUserID: String { givenCanonicalUserID ?? Self.canonicalUserID(of: id) }

    /// The identifier of 64 hexadecimal digits by which lists of access control name an account that was given no other.
    /// (AWS Account Management Reference, "Canonical user ID".)
    package static func canonicalUserID(of account: String) -> String {
        // Alibaba Cloud calls owners by their numbers.
        if Vendor(account: account) == .alibaba { return account }
        return account == Vendor.anonymous ? anonymousCanonicalUserID : SHA256.hash("canonical user \(account)").hex
    }

    /// What S3 shows as the owner of objects that anonymous callers wrote.
    private static let anonymousCanonicalUserID = "65a011a29cdf8ec533ec3d1ccaae921c"
}
