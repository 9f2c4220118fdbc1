package import Exchange
package import Federation
import HTTPTypes
package import Logging
import WireFormats

/// The services of Alibaba Cloud that are called as remote procedures: STS, RAM and IMS, told apart by the version of their API.
/// (Alibaba Cloud OpenAPI, "Request syntax and signature method V3", "RPC mechanism".)
package struct AlibabaRPCFace: Sendable {
    let authenticator: Authenticator
    let issuers: ForeignIssuers
    private let logger: Logger

    /// - Parameter issuers: finds the keys of identity providers elsewhere.
    package init(authenticator: Authenticator, issuers: ForeignIssuers, logger: Logger) {
        self.authenticator = authenticator
        self.issuers = issuers
        self.logger = logger
    }

    /// Answers one call; a refusal is an answer too.
    package func respond(to exchange: Exchange) async -> Response {
        exchange.note(face: "alibaba-rpc")
        return Response(status: .notFound)
    }
}
