import WireFormats

/// An API that access tokens of a user pool are for, with its scopes. (Amazon Cognito User Pools API Reference, `ResourceServerType`.)
package struct UserPoolResourceServer: Sendable, Codable, Hashable {
    /// A scope, without the identifier of the resource server.
    package struct Scope: Sendable, Codable, Hashable {
        /// The name.
        package var name: String
        /// The description.
        package var description: String

        package init(_ name: String, description: String) {
            self.name = name
            self.description = description
        }
    }

    /// The identifier of the pool.
    package var pool: String
    /// The identifier, unique in the pool.
    package var identifier: String
    /// The name.
    package var name: String
    /// The scopes.
    package var scopes: [Scope]

    package init(pool: String, identifier: String, name: String, scopes: [Scope] = []) {
        (self.pool, self.identifier, self.name, self.scopes) = (pool, identifier, name, scopes)
    }

    /// The scopes as tokens and apps have them: `<identifier>/<name>`.
    package var fullScopes: [String] { scopes.map { "\(identifier)/\($0.name)" } }
}
