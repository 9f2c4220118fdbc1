import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// An OpenID Connect issuer, also under the paths of a Keycloak realm: routes requests to the endpoints.
struct OpenIDConnectFace {
    let visit: Visit

    func respond() async -> Response {
        let table = visit.manners.isRealm ? Self.realmRoutes : visit.provider.product.flatMap { Self.productRoutes[$0] } ?? Self.routes
        return await visit.respond {
            try await visit.respond(by: table, at: visit.path, as: self) { shared($0) }
        } finish: {
            shared($0)
        }
    }

    /// - Parameter isRegistration: whether the request is for a new account.
    func authorize(isRegistration: Bool = false) async throws -> Response {
        let parameters: FormFields
        do {
            parameters = visit.call.method == .post ? try await visit.form() : try visit.query()
        } catch let fault as FormFault {
            return FaultPage(code: "invalid_request", explanation: fault.explanation).shown(in: visit)
        }
        if let page = visit.resubmissionPage(parameters) { return page }
        let signIn = AuthorizeEndpoint(visit: visit).signIn
        return try await isRegistration ? signIn.beginRegistration(parameters) : signIn.begin(parameters)
    }

    /// Adds the headers with which browser applications of other origins may read a response. Keycloak's JavaScript adapter sends cookies,
    /// and browsers then require the response to name the origin. (Fetch Standard, "CORS protocol and credentials".)
    func shared(_ response: consuming Response) -> Response {
        if !visit.restrictsReaders {
            response.headers[.accessControlAllowOrigin] = "*"
            response.headers.append(.exposedHeaders)
        } else if let origin = visit.call.headers.value(of: .origin) {
            response.headers.append(HTTPField(name: .vary, value: "Origin"))
            if visit.mayRead(origin) {
                response.headers[.accessControlAllowOrigin] = origin
                response.headers[.accessControlAllowCredentials] = "true"
                response.headers.append(.exposedHeaders)
            }
        }
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
