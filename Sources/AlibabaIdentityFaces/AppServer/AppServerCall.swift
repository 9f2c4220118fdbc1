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

    /// As ECS and RAM write it: upper case.
    var requestID: String { http.id.uuid.uppercased() }

    /// Lets errors on demand have their way with the call: nothing has been done yet.
    /// - Parameter caller: the person, or `nil` if nobody is known.
    /// - Throws: `InjectedFault`.
    func enter(_ route: AppServerRoute, as caller: String?) async throws {
        if let caller { http.note(caller: caller) }
        guard cloud.faults.isArmed else { return }
        try await http.meetFaults(
            FaultableCall(service: "appserver", action: route.operation, caller: caller, resources: [http.path]))
    }

    /// A failure as the clients of each path read it.
    func answer(_ failure: AppServerFailure, at route: AppServerRoute) -> Response {
        http.note(errorCode: failure.code, message: failure.message)
        switch route {
        case .distribution, .demo:
            // The demo server says that it has failed with the status that says it has not, since one SDK reads no body of a failure.
            let status = failure.isSpelledByStatus ? failure.status : .ok
            let code = failure.isSpelledByStatus || failure.status == .unauthorized ? failure.status.code : 500
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

/// Why the server does not do what it was asked for.
struct AppServerFailure: Error, Equatable {
    private let error: RPCError
    /// Whether the status says it where failures of the server itself are told with status 200.
    var isSpelledByStatus = true

    init(_ code: String, _ status: HTTPResponse.Status, _ message: String) {
        error = RPCError(code, status, message)
    }

    var code: String { error.code }
    var status: HTTPResponse.Status { error.status }
    var message: String { error.message }

    /// An error on demand: a failure of the server unless the rule gives a status.
    init(_ fault: InjectedFault) {
        error = RPCError(fault)
        isSpelledByStatus = fault.failure.status != nil
    }

    /// What the server itself was refused when it asked for credentials.
    init(refused code: String, _ message: String) {
        self.init(code, .internalServerError, message)
        isSpelledByStatus = false
    }

    /// The same in the words of the service that refused.
    init(refused error: RPCError) { self.init(refused: error.code, error.message) }

    static let internalError = AppServerFailure(refused: "InternalError", "The server has failed.")

    /// A missing or wrong login. It is told with status 200: the provider of the OSS SDK for Android reads `ErrorCode` and `ErrorMessage` of
    /// no other answer.
    static func unauthenticated(_ message: String) -> AppServerFailure {
        var failure = AppServerFailure("Unauthorized", .unauthorized, message)
        failure.isSpelledByStatus = false
        return failure
    }

    static func malformed(_ message: String) -> AppServerFailure { AppServerFailure("InvalidParameter", .badRequest, message) }
}
