import ControlDocuments

/// A server that AWS services are forwarded to.
package struct UpstreamState: Sendable {
    /// The host and the port.
    package var address: String
    /// The names of the services in credential scopes, in order.
    package var services: [String]
    /// Whether it answered the last request; `nil` if there was none.
    package var isAnswering: Bool?
    /// Why it did not answer the last request, such as `connection refused`.
    package var error: String?

    package init(address: String, services: [String], isAnswering: Bool? = nil, error: String? = nil) {
        self.address = address
        self.services = services
        self.isAnswering = isAnswering
        self.error = error
    }

    /// The document of the server.
    var document: Document<UpstreamMembers> {
        let state =
            switch isAnswering {
            case nil: "unused"
            case true?: "answering"
            case false?: "unreachable"
            }
        return Document { [$0.address(address), $0.services(services), $0.state(state), $0.error(error)] }
    }
}
