package import Exchange
package import Federation
import HTTPTypes
package import Logging

/// The business server of an app, which gives its people temporary credentials and signs for them.
/// (OSS documentation, "Authorize access by using temporary credentials provided by STS".)
package struct AppServerFace: Sendable {
    let authenticator: Authenticator
    private let logger: Logger

    package init(authenticator: Authenticator, logger: Logger) {
        self.authenticator = authenticator
        self.logger = logger
    }

    /// Whether a path is one of its own.
    package static func answers(_ path: String) -> Bool {
        ["/distribute-token.json", "/sts/getsts", "/sign"].contains(path) || path.hasPrefix("/latest/")
    }

    /// Answers one request; a refusal is an answer too.
    package func respond(to exchange: Exchange) async -> Response {
        exchange.note(face: "appserver")
        return Response(status: .notFound)
    }
}
