package import Policy
package import WireFormats

/// A user pool of Amazon Cognito: a directory of people, which issues tokens about them. (Amazon Cognito User Pools API Reference,
/// `UserPoolType`.)
package struct UserPool: Sendable, Codable {
    /// Whether a second factor is needed. The raw value is that of `MfaConfiguration`.
    package enum MultiFactor: String, Sendable, Codable, CaseIterable {
        case off = "OFF"
        case on = "ON"
        case optional = "OPTIONAL"
    }

    /// The ways to a person who forgot the password. The raw value is that of `RecoveryOptionNameType`.
    package enum Recovery: String, Sendable, Codable, CaseIterable {
        case email = "verified_email"
        case phone = "verified_phone_number"
        case administrator = "admin_only"

        /// The attribute with the address; `nil` if there is none.
        package var attribute: String? {
            switch self {
            case .email: "email"
            case .phone: "phone_number"
            case .administrator: nil
            }
        }
    }

    /// How the real service sends SMS; Virga only returns it.
    package struct SMSSender: Sendable, Codable, Hashable {
        /// The ARN of the role that the service assumes.
        package var role: String
        /// The external ID; `nil` for none.
        package var externalID: String?
        /// The region of the messages; `nil` for the pool's.
        package var region: String?

        package init(role: String, externalID: String? = nil, region: String? = nil) {
            self.role = role
            self.externalID = externalID
            self.region = region
        }
    }

    /// How the real service sends e-mail; Virga only returns it.
    package struct MailSender: Sendable, Codable, Hashable {
        /// Whether the messages are sent by Amazon SES in the account of the pool.
        package var isDeveloper: Bool
        /// The ARN of the identity in Amazon SES; `nil` for none.
        package var source: String?
        /// The sender; `nil` for the usual one.
        package var from: String?
        /// The address for replies; `nil` for none.
        package var replyTo: String?
        /// The configuration set of Amazon SES; `nil` for none.
        package var configurationSet: String?

        package init(isDeveloper: Bool) { self.isDeveloper = isDeveloper }
    }

    /// The identifier: the region, an underscore, and nine letters and digits.
    package var id: String
    /// The account that owns the pool.
    package var account: String
    /// The name, which need not be unique.
    package var name: String
    /// When the pool was created.
    package var created: Timestamp
    /// When the pool was last changed.
    package var modified: Timestamp
    /// The rules for passwords.
    package var passwordPolicy = UserPoolPasswordPolicy()
    /// The attributes that people sign up with in place of a username: `email`, `phone_number` or both.
    package var usernameAttributes: [String] = []
    /// The attributes that people can sign in with besides the username, once they are verified.
    package var aliasAttributes: [String] = []
    /// The attributes to which codes are sent when people sign up.
    package var autoVerifiedAttributes: [String] = []
    /// Whether usernames and aliases are compared with regard to case.
    package var isCaseSensitive = true
    /// Whether the call that created the pool had the setting, so that descriptions have it; `nil` for no.
    package var showsCaseSensitivity: Bool?
    /// Whether a second factor is needed.
    package var multiFactor = MultiFactor.off
    /// Whether time-based one-time passwords are accepted as a second factor.
    package var acceptsSoftwareTokens = false
    /// The second factors whose codes are sent.
    @Filled package var messageFactors: [UserPoolFactor] = []
    /// The message of codes by SMS, with `{####}` for the code; `nil` for the usual one.
    package var smsMessage: String?
    /// The message of codes by e-mail, with `{####}` for the code; `nil` for the usual one.
    package var mailMessage: String?
    /// The subject of codes by e-mail; `nil` for the usual one.
    package var mailSubject: String?
    /// How SMS are sent; `nil` if that was never set.
    package var smsSender: SMSSender?
    /// How e-mail is sent; `nil` if that was never set.
    package var mailSender: MailSender?
    /// The ways to a person who forgot the password, the first one preferred.
    package var recovery: [Recovery] = [.email, .phone]
    /// Whether only administrators create people.
    package var allowsAdminCreateUserOnly = false
    /// Whether the pool cannot be deleted.
    package var isProtected = false
    /// The attributes of the pool besides the standard ones, with their names including `custom:`.
    package var customAttributes: [UserPoolAttribute] = []
    /// The standard attributes that differ from the usual ones.
    package var changedAttributes: [UserPoolAttribute] = []
    /// Whether devices are remembered, and what for; `nil` if they are not.
    package var devices: DeviceSettings?
    /// The functions that the pool calls, at most one at each point.
    @Filled package var triggers: [UserPoolTrigger] = []
    /// The tags.
    package var tags: [Tag] = []

    package init(id: String, account: String, name: String, created: Timestamp) {
        self.id = id
        self.account = account
        self.name = name
        self.created = created
        modified = created
    }

    /// The region in the identifier.
    package var region: String { String(id.prefix { $0 != "_" }) }

    /// The name of the pool in the SRP protocol: the identifier without the region.
    package var shortName: String { String(id.drop { $0 != "_" }.dropFirst()) }

    /// The ARN of the pool.
    package var arn: String { "arn:aws:cognito-idp:\(region):\(account):userpool/\(id)" }

    /// The issuer of the pool's tokens without the scheme, which is the key of its logins at identity pools.
    package var issuerName: String { "cognito-idp.\(region).amazonaws.com/\(id)" }

    /// The issuer of the pool's tokens.
    package var issuer: String { "https://\(issuerName)" }

    /// The name under which the pool's grants are stored. No identity provider has a name with a slash.
    package var grantName: String { "cognito-idp/\(id)" }

    /// The name of the keys that sign ID tokens.
    package var keyNameOfIDTokens: String { "\(grantName)/id" }

    /// The name of the keys that sign access tokens.
    package var keyNameOfAccessTokens: String { "\(grantName)/access" }

    /// The standard attributes and those of the pool.
    package var attributes: [UserPoolAttribute] {
        UserPoolAttribute.standard.map { standard in changedAttributes.first { $0.name == standard.name } ?? standard } + customAttributes
    }

    /// Returns the attribute with a name; `nil` if the pool has none.
    package func attribute(_ name: String) -> UserPoolAttribute? { attributes.first { $0.name == name } }

    /// Returns the function that the pool calls at a point; `nil` if there is none.
    package func trigger(_ point: UserPoolTrigger.Point) -> UserPoolTrigger? { triggers.first { $0.point == point } }

    /// Returns a text as names of people are compared.
    package func folded(_ name: String) -> String { isCaseSensitive ? name : name.lowercased() }

    /// Returns whether a text is an identifier of a user pool: a region, an underscore, and letters and digits.
    package static func isIdentifier(_ text: String) -> Bool {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 55, !parts[1].isEmpty, parts[0].utf8.contains(UInt8(ascii: "-")) else { return false }
        return parts[0].utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") }
            && parts[1].utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 }
    }
}
