import Calls
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The doors of IAM Identity Center: its OIDC service, the service of the access portal, and the ways for browsers to its pages. The
/// identity provider of the people has the pages themselves.
enum CenterDoors {
    /// Responds to a request for Identity Center; `nil` for a request to another door.
    static func respond(to call: CredentialCall) async -> Response? {
        guard let center = call.directory.credentialSources.identityCenter else { return nil }
        if let door = CenterPortalDoor(call.http) { return await call.respond(at: door) }
        if let door = CenterAuthorizationDoor(call.http) { return await call.respond(at: door) }
        let isOwnHost = center.hosts.contains { $0.equals(call.http.host) }
        guard isOwnHost || call.http.path == CenterEntranceDoor.authorization else { return nil }
        return await call.respond(at: CenterEntranceDoor(isAtPortal: center.isStartURL("https://\(call.http.host)\(call.http.path)")))
    }
}

extension CredentialCall {
    /// Returns what issues the tokens of Identity Center.
    func centerTokens() throws(DoorFailure) -> CenterTokens {
        guard let tokens = CenterTokens(in: cloud) else {
            throw CenterError.invalidRequest.failure(
                "IAM Identity Center has no identity source.", cause: "The identity provider of the seed's identityCenter was removed.")
        }
        return tokens
    }
}

extension DoorFailure {
    /// The failure of a request for an operation that Identity Center does not have here.
    static func unknownOperation(_ message: String) -> DoorFailure { DoorFailure("UnknownOperationException", .notFound, message) }

    /// Returns the response in the REST JSON protocol.
    /// - Parameter members: the members of the body.
    func inREST(_ members: JSONObject, requestID: String) -> Response {
        // The code that SDKs retry.
        let code = code == "InternalServerError" ? CenterError.internalServer.rawValue : code
        var headers = HTTPFields.unstored
        headers[.amazonErrorType] = code
        headers[.amazonRequestID] = requestID
        return .json(.object(members), status: status, headers: headers)
    }
}

extension HTTPField.Name {
    fileprivate static let amazonRequestID = HTTPField.Name(literal: "x-amzn-RequestId")
}

/// The ways by which browsers reach the pages: the authorization endpoint, and the URL of the access portal.
struct CenterEntranceDoor: CredentialDoor {
    let kind = CredentialSources.Kind.identityCenter
    /// Whether the request is for the URL of the access portal.
    let isAtPortal: Bool

    static let authorization = "/authorize"

    var service: String { IdentityCenter.authorizationService }

    func operation(of call: CredentialCall) -> String { isAtPortal ? "Portal" : "Authorize" }

    func respond(to call: CredentialCall) async throws -> Response {
        guard call.http.isAtKnownHost else {
            throw DoorFailure("AccessDenied", .forbidden, "\(call.http.host) is not a name of this server.")
        }
        guard isAtPortal || call.http.path == Self.authorization else {
            throw DoorFailure.unknownOperation("IAM Identity Center has no such path.")
        }
        guard call.http.method == .get || call.http.method == .head else {
            throw DoorFailure("MethodNotAllowed", .methodNotAllowed, "Use GET.")
        }
        let provider = try call.centerTokens().provider
        let page = CenterTokens.Pages.path(isAtPortal ? CenterTokens.Pages.device : CenterTokens.Pages.authorization, of: provider)
        let query = call.http.query.isEmpty ? "" : "?\(call.http.query)"
        return .redirect(to: "\(call.http.origin)\(page)\(query)", headers: .unstored)
    }

    func response(to failure: DoorFailure, of call: CredentialCall) -> Response {
        failure.inREST(["message": .string(failure.message)], requestID: call.http.id.uuid)
    }
}
