import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// One request to the app server.
struct AppServerCall: Sendable {
    let http: Call
    let server: AppServer
    let sessions: SessionTokens

    var cloud: Cloud { http.cloud }
    var directory: Directory { http.cloud.directory }

    /// The request ID in uppercase, as ECS and RAM write it.
    var requestID: String { http.id.uuid.uppercased() }

    /// Rejects pages of other sites, and requests for a name that is not one of this process: a page can bind any name to this machine's
    /// address. The metadata is for programs of this machine only, as that of an instance is.
    func refuseForeignClients(of route: AppServerRoute) throws(AppServerFailure) {
        guard route.isMetadata ? http.source == .program : !http.source.isForeignPage else {
            throw AppServerFailure("AccessDenied", .forbidden, "Pages of browsers get no credentials here.")
        }
        guard http.isAtKnownHost else {
            throw AppServerFailure(
                "AccessDenied", .forbidden, "\(http.host) is not a name of this server. Start virga with --alias \(http.host).")
        }
        guard !route.isMetadata || http.isFromThisMachine else {
            throw AppServerFailure("AccessDenied", .forbidden, "Only clients of this machine get the metadata of the instance.")
        }
    }

    /// Applies errors on demand to the call, before it has any effect.
    /// - Parameter caller: the user, or `nil` if none is known.
    /// - Throws: `InjectedFault`.
    func enter(_ route: AppServerRoute, as caller: String?) async throws {
        if let caller { http.note(caller: caller) }
        guard cloud.faults.isArmed else { return }
        try await http.applyFaults(
            FaultableCall(service: "appserver", action: route.operation, caller: caller, resources: [http.path]))
    }

    /// Returns a failure in the form that the clients of each path expect.
    func answer(_ failure: AppServerFailure, at route: AppServerRoute) -> Response {
        http.note(errorCode: failure.code, message: failure.message)
        switch route {
        case .distribution, .demo:
            // The demo server reports its own failures with status 200, because one SDK does not read the body of an error response.
            let status = failure.reportsStatus ? failure.status : .ok
            let code = failure.reportsStatus || failure.status == .unauthorized ? failure.status.code : 500
            return .json(
                [
                    "StatusCode": route == .demo ? .string(String(code)) : .integer(Int64(code)), "ErrorCode": .string(failure.code),
                    "ErrorMessage": .string(failure.message),
                ], status: status)
        case .signing:
            return .json(
                [
                    "StatusCode": .integer(Int64(failure.status.code)), "ErrorCode": .string(failure.code),
                    "ErrorMessage": .string(failure.message),
                ], status: failure.status)
        case .metadataToken, .metadata:
            return Response(status: failure.status, contentType: "text/plain; charset=utf-8", text: "\(failure.code): \(failure.message)\n")
        }
    }
}

/// An error of the app server.
struct AppServerFailure: Error, Equatable {
    private let error: RPCError
    /// Whether the response has the status of the failure, in the formats that report failures of the server with status 200.
    var reportsStatus = true

    init(_ code: String, _ status: HTTPResponse.Status, _ message: String) {
        error = RPCError(code, status, message)
    }

    var code: String { error.code }
    var status: HTTPResponse.Status { error.status }
    var message: String { error.message }

    /// An error on demand: a failure of the server unless the rule gives a status.
    init(_ fault: InjectedFault) {
        error = RPCError(fault)
        reportsStatus = fault.failure.status != nil
    }

    /// An error of the server's own request for credentials.
    init(refused code: String, _ message: String) {
        self.init(code, .internalServerError, message)
        reportsStatus = false
    }

    /// An error of the server's own request for credentials, with the service's message.
    init(refused error: RPCError) { self.init(refused: error.code, error.message) }

    static let internalError = AppServerFailure(refused: "InternalError", "The server has failed.")

    /// A missing or wrong login. It has status 200: the provider of the OSS SDK for Android reads `ErrorCode` and `ErrorMessage` only from
    /// such a response.
    static func unauthenticated(_ message: String) -> AppServerFailure {
        var failure = AppServerFailure("Unauthorized", .unauthorized, message)
        failure.reportsStatus = false
        return failure
    }

    static func malformed(_ message: String) -> AppServerFailure { AppServerFailure("InvalidParameter", .badRequest, message) }
}
