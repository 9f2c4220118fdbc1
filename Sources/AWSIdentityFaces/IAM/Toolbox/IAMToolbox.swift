import Calls
import Cloud
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The operations that explain why a request was denied. They use IAM's signatures and permissions, but a protocol of their own.
/// (IAM Toolbox API, version 2018-05-10; Smithy, "AWS restJson1 protocol".)
struct IAMToolbox: Sendable {
    let authenticator: Authenticator

    private static let path = "/authorization-details/"

    /// Returns whether a path belongs to one of these operations.
    static func answers(_ path: String) -> Bool { path.hasPrefix(Self.path) }

    /// Returns the authorization ID of a call: its request ID in lowercase.
    static func authorizationID(of call: Call) -> String { call.id.text.lowercased() }

    func respond(to call: Call) -> Response {
        call.note(face: "iam")
        let headers: HTTPFields = [.amazonRequestID: call.id.uuid]
        do {
            return .json(try answer(call), headers: headers)
        } catch {
            call.note(errorCode: error.code, message: error.message)
            var headers = headers
            headers[.amazonErrorType] = error.code
            return .json(["message": .string(error.message)], status: error.status, headers: headers)
        }
    }

    private func answer(_ call: Call) throws(ServiceError) -> JSONValue {
        var id = call.path.dropFirst(Self.path.count)
        let wantsPolicy = id.hasSuffix("/policy")
        if wantsPolicy { id = id.dropLast("/policy".count) }
        let action = wantsPolicy ? "GetRequestAuthorizationPolicy" : "GetRequestAuthorizationDetails"
        call.note(operation: action)
        guard call.method == .get, !id.contains("/") else {
            throw ServiceError("UnknownOperationException", .notFound, "There is no such operation.")
        }
        let account = try authorizedAccount(of: call, for: "iam:\(action)")
        guard (1...256).contains(id.utf8.count), id.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 }) else {
            throw Self.violation(
                "authorizationId", "Member must satisfy regular expression pattern: [0123456789abcdefghijklmnopqrstuvwxyz]+")
        }
        guard let details = Self.details(String(id), of: account, in: call.cloud.journal) else { throw Self.notFound }
        guard wantsPolicy else { return details.json }
        guard let uri = call.queryFields?.first("policyUri"), !uri.isEmpty else {
            throw Self.violation("policyUri", "Member must not be null")
        }
        guard let document = details.document(ofPolicy: uri) else { throw Self.notFound }
        return ["policyDocument": document]
    }

    /// Returns the account of the caller. Authorizes the call.
    private func authorizedAccount(of call: Call, for action: String) throws(ServiceError) -> String {
        let authenticated: Authenticated?
        do {
            authenticated = try authenticator.authenticate(call.signable, service: "iam", body: [])
        } catch {
            throw ServiceError(error).inREST
        }
        guard let caller = authenticated?.caller, let account = caller.account else {
            throw ServiceError("MissingAuthenticationTokenException", .forbidden, "Missing Authentication Token")
        }
        if let arn = caller.arn { call.note(caller: arn) }
        let verdict = call.authorize(caller, action, on: "*", ownedBy: account)
        if let message = verdict.decision.message(for: verdict.context) {
            throw ServiceError("AccessDeniedException", .forbidden, message)
        }
        return account
    }

    private static func details(_ id: String, of account: String, in journal: Journal) -> AuthorizationDetails? {
        let id = id.uppercased()
        return journal.recent(limit: 1) { $0.requestID == id }.first.flatMap { AuthorizationDetails($0, of: account) }
    }

    private static let notFound = ServiceError(
        "ResourceNotFoundException", .notFound,
        "The requested policy or authorization details do not exist in this region or have expired.")

    private static func violation(_ member: String, _ constraint: String) -> ServiceError {
        ServiceError(
            "ValidationException", .badRequest,
            "1 validation error detected: Value at '\(member)' failed to satisfy constraint: \(constraint)")
    }
}

extension ServiceError {
    /// The signature error with its code in AWS's newer protocols.
    fileprivate var inREST: ServiceError {
        let codes = [
            "SignatureDoesNotMatch": "InvalidSignatureException", "InvalidClientTokenId": "UnrecognizedClientException",
            "ExpiredToken": "ExpiredTokenException", "IncompleteSignature": "IncompleteSignatureException",
        ]
        return ServiceError(codes[code] ?? code, status, message)
    }
}

extension HTTPField.Name {
    /// The header with the error code in AWS's newer protocols.
    fileprivate static let amazonErrorType = HTTPField.Name(literal: "x-amzn-ErrorType")
}
