package import Exchange
import HTTPTypes

/// Answers for an AWS service that has no face here: its own well-formed error, never another service's success.
package struct UnavailableService: Sendable {
    private let name: String

    /// - Parameter name: as in the credential scope, such as `iam`.
    package init(name: String) { self.name = name }

    package func respond(to exchange: Exchange) -> Response {
        exchange.note(face: name)
        let error = QueryError("InvalidAction", .badRequest, "The service \(name) is not part of this sandbox.")
        exchange.note(errorCode: error.code, message: error.message)
        return error.response(namespace: "https://\(name).amazonaws.com/doc/2010-05-08/", requestID: exchange.id.uuid)
    }
}
