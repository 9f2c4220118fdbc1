/// A custom API, which apps call below `/mobile/custom/<name>/`. (Using Oracle Mobile Cloud Service, "Custom API Design".)
package struct CustomAPI: Hashable, Sendable, Codable {
    /// The name, as it appears in paths.
    package var name: String
    /// The version, as it appears in paths.
    package var version: String
    /// The callers that are allowed.
    package var access: Access
    /// The endpoints.
    package var endpoints: [Endpoint]

    /// The callers that are allowed.
    package enum Access: Hashable, Sendable, Codable {
        /// *Login Required* is off.
        case open
        /// *Login Required*, *Enterprise*. A caller needs one of the roles; without roles, a login is enough.
        case enterprise(roles: [String])
        /// *Login Required*, *Social Identity*.
        case social
    }

    /// A method and path with an answer.
    package struct Endpoint: Hashable, Sendable, Codable {
        /// The method, or `*` for all methods.
        package var method: String
        /// The path below the API, such as `/orders/{id}`; see ``EndpointPath``.
        package var path: String
        /// The roles of which a caller needs one. If there are any, they replace those of the API.
        package var roles: [String]
        /// The answer of the endpoint.
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
        /// A fixed response. With `isTemplate`, placeholders `{{...}}` in it are replaced by values of the request and its caller.
        case fixed(status: Int, headers: [String: String], body: String, isTemplate: Bool)
        /// The identity of the caller, as the relay knows it.
        case caller
        /// The response of the custom code at this URL.
        case forwarded(url: String)
    }

    package init(name: String, version: String, access: Access, endpoints: [Endpoint]) {
        self.name = name
        self.version = version
        self.access = access
        self.endpoints = endpoints
    }

    /// The name and version, such as `incidents(1.0)`.
    package var key: String { "\(name)(\(version))" }
}
