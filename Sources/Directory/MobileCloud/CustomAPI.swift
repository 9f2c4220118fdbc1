/// A custom API: what apps call below `/mobile/custom/<name>/`. (Using Oracle Mobile Cloud Service, "Custom API Design".)
package struct CustomAPI: Hashable, Sendable, Codable {
    /// The name, as in paths.
    package var name: String
    /// The version, as in paths.
    package var version: String
    /// Who may call it.
    package var access: Access
    /// The endpoints.
    package var endpoints: [Endpoint]

    /// Who may call it.
    package enum Access: Hashable, Sendable, Codable {
        /// *Login Required* is off.
        case open
        /// *Login Required*, *Enterprise*, with the roles of which a caller needs one; none asks for a login only.
        case enterprise(roles: [String])
        /// *Login Required*, *Social Identity*.
        case social
    }

    /// A method and path with an answer.
    package struct Endpoint: Hashable, Sendable, Codable {
        /// `GET`, or `*` for each.
        package var method: String
        /// Below the API, `/orders/{id}`; see ``EndpointPath``.
        package var path: String
        /// Roles of which a caller needs one; where there are any, they stand in place of the API's.
        package var roles: [String]
        /// What it answers.
        package var answer: Answer

        package init(method: String, path: String, roles: [String], answer: Answer) {
            self.method = method
            self.path = path
            self.roles = roles
            self.answer = answer
        }
    }

    /// What an endpoint does.
    package enum Answer: Hashable, Sendable, Codable {
        /// A fixed answer; with `isTemplate`, `{{…}}` in it stands for values of the request and its caller.
        case fixed(status: Int, headers: [String: String], body: String, isTemplate: Bool)
        /// The caller's identity as the relay knows it.
        case caller
        /// What the custom code at this URL answers.
        case forwarded(url: String)
    }

    package init(name: String, version: String, access: Access, endpoints: [Endpoint]) {
        self.name = name
        self.version = version
        self.access = access
        self.endpoints = endpoints
    }

    /// `incidents(1.0)`
    package var key: String { "\(name)(\(version))" }
}
