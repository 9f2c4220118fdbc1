import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// An OpenID Connect issuer, also under the paths of a Keycloak realm: routes requests to the endpoints.
struct OpenIDConnectFace {
    let visit: Visit

    func respond() async -> Response {
        let table = visit.isRealm ? Self.realmRoutes : visit.provider.product.flatMap { Self.productRoutes[$0] } ?? Self.routes
        return await visit.respond {
            try await visit.respond(by: table, at: visit.path, as: self) { shared($0) }
        } finish: {
            shared($0)
        }
    }

    func authorize() async throws -> Response {
        let parameters: FormFields
        do {
            parameters = visit.call.method == .post ? try await visit.form() : try visit.query()
        } catch let fault as FormFault {
            return FaultPage(code: "invalid_request", explanation: fault.explanation).shown(in: visit)
        }
        if let page = visit.resubmissionPage(parameters) { return page }
        return try await SignIn(endpoint: AuthorizeEndpoint(visit: visit)).begin(parameters)
    }

    /// The origin of the request, if it is a registered application's page and the realm is addressed. Keycloak's JavaScript adapter sends
    /// cookies, and browsers then require the response to name the origin. (Fetch Standard, "CORS protocol and credentials".)
    private var applicationOrigin: String? {
        guard visit.isRealm, let origin = visit.call.headers.value(of: .origin) else { return nil }
        return visit.provider.clients.count(.page(TextKey(origin))) > 0 ? origin : nil
    }

    /// Adds the headers with which browser applications of other origins may read a response.
    func shared(_ response: consuming Response) -> Response {
        if let origin = applicationOrigin {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlAllowCredentials] = "true"
            response.headers.append(HTTPField(name: .vary, value: "Origin"))
        } else {
            response.headers[.accessControlAllowOrigin] = "*"
        }
        response.headers.append(.exposedHeaders)
        if visit.provider.requiresDPoPNonce == true, visit.call.headers.has(.dpop) {
            // The nonce is for the next proof, whether or not this one was valid (RFC 9449 section 8.2).
            response.headers[.dpopNonce] = try? DPoPNonce.make(in: visit)
        }
        return response
    }
}

extension HTTPField {
    /// Made once: making it checks each character of the value.
    fileprivate static let exposedHeaders = HTTPField(name: .accessControlExposeHeaders, value: "WWW-Authenticate, DPoP-Nonce")
}
