/// The business server of an app that stores in OSS: it knows the app's people, and gives them credentials or signs for them.
/// (OSS documentation, "Authorize access by using temporary credentials provided by STS"; the demo server of the OSS SDKs for iOS and
/// Android.)
package struct AppServer: Hashable, Sendable, Codable {
    /// `nil` if it gives no credentials to people.
    package var distribution: Distribution?
    /// What it signs with for apps that have no credentials; `nil` if it does not.
    package var signingKey: Key?
    /// The ARN of the role that the machine has which the server runs on; `nil` if it has none.
    package var instanceRole: String?
    /// Seconds that credentials last.
    package var duration: Int

    package init(distribution: Distribution?, signingKey: Key?, instanceRole: String?, duration: Int) {
        self.distribution = distribution
        self.signingKey = signingKey
        self.instanceRole = instanceRole
        self.duration = duration
    }

    /// How people get credentials: the server takes a role in their name.
    package struct Distribution: Hashable, Sendable, Codable {
        /// Of the RAM user that takes the role.
        package var accessKey: String
        /// The ARN of the role.
        package var role: String
        /// The policy of each session as JSON, in which `${user}` stands for the person; `nil` if the role's are enough.
        package var policy: String?
        /// Who can log in at the server.
        package var people: [Person]
        /// Whose ID tokens do as well as a password.
        package var issuers: [Issuer]
        /// As whom somebody is served who does not log in; `nil` if they are not.
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

        /// The policy for one person.
        /// - Parameter name: the name of a session, in which nothing means more in a policy than itself; see ``AppServer/isName(_:)``.
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

    /// An issuer of ours, and the client of it that the app is.
    package struct Issuer: Hashable, Sendable, Codable {
        /// The name of the identity provider.
        package var provider: String
        /// The client ID that tokens must be for.
        package var audience: String

        package init(provider: String, audience: String) {
            self.provider = provider
            self.audience = audience
        }
    }

    /// The key that signs the server's answers.
    package struct Key: Hashable, Sendable, Codable {
        /// The identifier, which answers name.
        package var id: String
        /// The secret.
        package var secret: String

        package init(id: String, secret: String) {
            self.id = id
            self.secret = secret
        }
    }

    /// Whether a name can be that of a role's session, and so stand in a policy: `*`, `?`, `/`, `$` and quotation marks cannot be in it.
    /// (STS API Reference, "AssumeRole", `RoleSessionName`.)
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
