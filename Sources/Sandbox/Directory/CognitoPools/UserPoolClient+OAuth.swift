import WireFormats

extension UserPoolClient {
    /// The settings of an app for the hosted pages and the token endpoint of its pool. (Amazon Cognito User Pools API Reference,
    /// `UserPoolClientType`.)
    package struct OAuth: Sendable, Codable, Hashable {
        /// The grants. The raw value is that of `OAuthFlowType`.
        package enum Flow: String, Sendable, Codable, CaseIterable {
            case code, implicit
            case clientCredentials = "client_credentials"
        }

        /// Whether the app can use the grants: `AllowedOAuthFlowsUserPoolClient`.
        package var isEnabled = false
        /// The grants.
        package var flows: [Flow] = []
        /// The scopes that the app can ask for.
        package var scopes: [String] = []
        /// The URLs that receive codes and tokens.
        package var callbackURLs: [String] = []
        /// The URLs to which the pool's logout redirects.
        package var logoutURLs: [String] = []
        /// The callback URL of requests that name none; `nil` if there is none.
        package var defaultRedirectURI: String?
        /// The identity providers that people can sign in with: names, and `COGNITO` for the pool itself.
        package var providers: [String] = []

        package init() {}

        /// The name of the pool itself among identity providers.
        package static let ownProvider = "COGNITO"

        /// Returns whether the app can use a grant.
        package func allows(_ flow: Flow) -> Bool { isEnabled && flows.contains(flow) }

        /// Whether people can sign in with users of the pool itself.
        package var allowsOwnUsers: Bool { providers.contains(Self.ownProvider) }
    }

    /// The settings for hosted pages; those of an app without them are empty.
    package var oauthSettings: OAuth {
        get { oauth ?? OAuth() }
        set { oauth = newValue == OAuth() ? nil : newValue }
    }
}
