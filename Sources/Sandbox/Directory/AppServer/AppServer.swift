import WireFormats

/// The business server of an app that stores objects in OSS. It knows the app's users, and issues credentials to them or signs for them.
/// (OSS documentation, "Authorize access by using temporary credentials provided by STS"; the demo server of the OSS SDKs for iOS and
/// Android.)
package struct AppServer: Hashable, Sendable, Codable {
    /// How users get credentials; `nil` if the server issues none.
    package var distribution: Distribution?
    /// The key that signs for apps without credentials; `nil` if the server does not sign.
    package var signingKey: Key?
    /// The ARN of the role of the instance that the server runs on; `nil` if it has none.
    package var instanceRole: String?
    /// The lifetime of credentials, in seconds.
    package var duration: Int

    package init(distribution: Distribution?, signingKey: Key?, instanceRole: String?, duration: Int) {
        self.distribution = distribution
        self.signingKey = signingKey
        self.instanceRole = instanceRole
        self.duration = duration
    }

    /// How users of the app get credentials: the server assumes a role on their behalf.
    package struct Distribution: Hashable, Sendable, Codable {
        /// The access key ID of the RAM user that assumes the role.
        package var accessKey: String
        /// The ARN of the role.
        package var role: String
        /// The policy of each session as JSON, in which `${user}` is replaced by the user name; `nil` if only the role's policies apply.
        package var policy: String?
        /// The people who can log in at the server.
        package var people: [Person]
        /// The issuers whose ID tokens are accepted instead of a password.
        package var issuers: [Issuer]
        /// The session name for callers that do not log in; `nil` if they are rejected.
        package var openTo: String?

        package init(
            accessKey: String, role: String, policy: String?, people: [Person], issuers: [Issuer], openTo: String?
        ) {
            self.accessKey = accessKey
            self.role = role
            self.policy = policy
            self.people = people
            self.issuers = issuers
            self.openTo = openTo
        }

        /// Returns the policy for one person.
        /// - Parameter name: a session name, which has no characters with a special meaning in policies; see ``AppServer/isName(_:)``.
        package func policy(for name: String) -> String? { policy?.replacing("${user}", with: name) }
    }

    /// A person who can log in at the server.
    package struct Person: Hashable, Sendable, Codable {
        /// The user name.
        package var name: String
        /// The password.
        package var password: String

        package init(name: String, password: String) {
            self.name = name
            self.password = password
        }
    }

    /// An identity provider of this server, and the app's client ID at it.
    package struct Issuer: Hashable, Sendable, Codable {
        /// The name of the identity provider.
        package var provider: String
        /// The client ID that tokens must have as their audience.
        package var audience: String

        package init(provider: String, audience: String) {
            self.provider = provider
            self.audience = audience
        }
    }

    /// The key that signs the server's responses.
    package struct Key: Hashable, Sendable, Codable {
        /// The identifier, which responses contain.
        package var id: String
        /// The secret.
        package var secret: String

        package init(id: String, secret: String) {
            self.id = id
            self.secret = secret
        }
    }

    /// Returns whether a name can be the session name of a role, and so can be inserted into a policy: `*`, `?`, `/`, `$` and quotation
    /// marks are not allowed. (STS API Reference, "AssumeRole", `RoleSessionName`.)
    package static func isName(_ name: String) -> Bool {
        (2...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: ".@_-".utf8.contains(byte)
                }
            }
    }
}
