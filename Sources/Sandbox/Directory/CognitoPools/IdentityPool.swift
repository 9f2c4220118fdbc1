package import Policy
import WireFormats

/// An identity pool of Amazon Cognito: the logins that it accepts, and the roles whose credentials its identities get.
/// (Amazon Cognito Federated Identities API Reference, "CreateIdentityPool", "SetIdentityPoolRoles" and "SetPrincipalTagAttributeMap".)
package struct IdentityPool: Sendable, Codable {
    /// The number of the account.
    package var account: String
    /// `<region>:<UUID>`.
    package var id: String
    /// The name.
    package var name: String
    /// Whether identities without a login get credentials.
    package var allowsGuests: Bool
    /// Whether the pool issues tokens for `AssumeRoleWithWebIdentity`; `nil` if it was never set, which counts as allowed.
    package var allowsClassicFlow: Bool?
    /// The applications of social providers, by the keys of logins.
    package var socialLogins: [SocialLogin] = []
    /// The key of logins that the developer's own server authenticates.
    package var developerProvider: String?
    /// The ARNs of OpenID Connect providers in IAM.
    package var openIDConnectProviders: [String] = []
    /// The ARNs of SAML providers in IAM.
    package var samlProviders: [String] = []
    /// The clients of user pools.
    package var userPools: [UserPoolClient] = []
    /// The ARN of the role of identities with logins.
    package var authenticatedRole: String?
    /// The ARN of the role of guests.
    package var guestRole: String?
    /// How roles follow from tokens; one mapping for each provider.
    package var roleMappings: [PoolRoleMapping] = []
    /// Which claims become session tags; one map for each provider.
    package var tagMaps: [PrincipalTagMap] = []
    /// The tags of the pool.
    package var tags: [Tag] = []

    /// The key of logins under which the tokens of the pools themselves are presented, and the principal of trust policies.
    package static let ownProvider = "cognito-identity.amazonaws.com"

    /// - Parameter id: `<region>:<UUID>`.
    package init(account: String, id: String, name: String, allowsGuests: Bool = false) {
        self.account = account
        self.id = id
        self.name = name
        self.allowsGuests = allowsGuests
    }

    /// An application of a social provider.
    package struct SocialLogin: Sendable, Codable {
        /// The key of logins, such as `graph.facebook.com`.
        package var provider: String
        /// The identifier of the application.
        package var application: String

        package init(provider: String, application: String) {
            self.provider = provider
            self.application = application
        }
    }

    /// A client of a user pool. (API Reference, "CognitoIdentityProvider".)
    package struct UserPoolClient: Sendable, Codable {
        /// The key of logins: `cognito-idp.<region>.amazonaws.com/<pool>`.
        package var provider: String
        /// The identifier of the client.
        package var clientID: String
        /// Whether the user pool is asked if the user may still use the token; `nil` if it was never set.
        package var checksTokens: Bool?

        package init(provider: String, clientID: String, checksTokens: Bool? = nil) {
            self.provider = provider
            self.clientID = clientID
            self.checksTokens = checksTokens
        }
    }

    /// The region, which is the beginning of the identifier.
    package var region: String { String(id.prefix { $0 != ":" }) }

    /// The ARN.
    package var arn: String { Self.arn(of: id, in: account) }

    /// Returns the ARN that a pool of an account has.
    package static func arn(of id: String, in account: String) -> String {
        "arn:aws:cognito-identity:\(id.prefix { $0 != ":" }):\(account):identitypool/\(id)"
    }

    /// Whether the pool accepts any login.
    package var hasProviders: Bool {
        !socialLogins.isEmpty || developerProvider != nil || !openIDConnectProviders.isEmpty || !samlProviders.isEmpty
            || !userPools.isEmpty
    }

    /// Returns the application of a social provider; `nil` if the pool does not accept its logins.
    package func application(of provider: String) -> String? { socialLogins.first { $0.provider == provider }?.application }

    /// Returns the principal tag map of a provider.
    package func tagMap(of provider: String) -> PrincipalTagMap? { tagMaps.first { $0.provider == provider } }

    /// Returns whether identities can have several logins of a provider: only those of the developer.
    package func acceptsSeveralLogins(of provider: String) -> Bool { developerProvider.map { $0 == provider } ?? false }
}

extension IdentityPool: TaggedRecord {
    /// - Parameter arn: the ARN of the pool.
    package static func find(_ arn: String, in directory: Directory, account: String) -> IdentityPool? {
        let marker = ":identitypool/"
        guard let place = arn.firstRange(of: marker) else { return nil }
        let pool = directory.identityPools.pool(String(arn[place.upperBound...]))
        return pool.flatMap { $0.account == account && $0.arn == arn ? $0 : nil }
    }

    package func save(in directory: inout Directory) { directory.put(.identityPool(.pool(self))) }
}
