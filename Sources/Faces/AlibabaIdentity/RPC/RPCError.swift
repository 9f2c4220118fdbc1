import Calls
import Cloud
import HTTPTypes

/// An error of an RPC service of Alibaba Cloud.
/// (Alibaba Cloud OpenAPI, "Error codes"; the codes of each operation are in its API Reference.)
struct RPCError: Error, Equatable {
    var code: String
    var status: HTTPResponse.Status
    /// The message for the developer.
    var message: String
    /// The cause of an internal error, for the log.
    var cause: FailureCause?

    init(_ code: String, _ status: HTTPResponse.Status, _ message: String) {
        self.code = code
        self.status = status
        self.message = message
    }

    /// An error on demand, which replaces the call's own result.
    init(_ fault: InjectedFault) {
        let (status, message) = fault.entry(in: .rpc)
        self.init(fault.failure.code, status, message)
    }

    /// Returns the error document. (Alibaba Cloud OpenAPI, "Error responses".)
    /// - Parameters:
    ///   - host: the host that the client addressed.
    ///   - product: the product's name in the recommended page.
    func document(requestID: String, host: String, product: String) -> RPCValue {
        [
            "RequestId": .text(requestID), "HostId": .text(host), "Code": .text(code), "Message": .text(message),
            "Recommend": .text("https://api.aliyun.com/troubleshoot?q=\(code)&product=\(product)&requestId=\(requestID)"),
        ]
    }
}

extension RPCError {
    /// A required parameter is missing.
    static func missing(_ name: String) -> RPCError {
        RPCError("Missing\(name)", .badRequest, "\(name) is mandatory for this action.")
    }

    /// No service has this action.
    static let noSuchAction = RPCError(
        "InvalidAction.NotFound", .notFound, "Specified api is not found, please check your url and method.")

    /// The caller's own policies do not allow the call.
    static let noPermission = RPCError(
        "NoPermission", .forbidden, "You are not authorized to do this action. You should be authorized by RAM.")

    static let internalError = RPCError(
        "InternalError", .internalServerError, "The request processing has failed due to some unknown error.")

    /// Creates the response to an unexpected error.
    init(failure: any Error) {
        if FullStorage.isCause(of: failure) {
            self.init("LimitExceeded", .conflict, FullStorage.message(for: failure))
            return
        }
        self = .internalError
        cause = FailureCause(failure)
    }
}
