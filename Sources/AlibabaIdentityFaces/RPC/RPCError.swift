import Calls
import Cloud
import HTTPTypes

/// A refusal by a service of Alibaba Cloud that is called as a remote procedure.
/// (Alibaba Cloud OpenAPI, "Error codes"; the codes of an operation stand in its API Reference.)
struct RPCError: Error, Equatable {
    var code: String
    var status: HTTPResponse.Status
    /// What the developer reads.
    var message: String

    init(_ code: String, _ status: HTTPResponse.Status, _ message: String) {
        self.code = code
        self.status = status
        self.message = message
    }

    /// What somebody asked for in place of the call's own result.
    init(_ fault: InjectedFault) {
        let (status, message) = fault.entry(in: .rpc)
        self.init(fault.failure.code, status, message)
    }

    /// The document. (Alibaba Cloud OpenAPI, "Error responses".)
    /// - Parameters:
    ///   - host: the one that was addressed.
    ///   - product: as the page that is recommended knows it.
    func document(requestID: String, host: String, product: String) -> RPCValue {
        [
            "RequestId": .text(requestID), "HostId": .text(host), "Code": .text(code), "Message": .text(message),
            "Recommend": .text("https://api.aliyun.com/troubleshoot?q=\(code)&product=\(product)&requestId=\(requestID)"),
        ]
    }
}

extension RPCError {
    /// A parameter that must be there and is not.
    static func missing(_ name: String) -> RPCError {
        RPCError("Missing\(name)", .badRequest, "\(name) is mandatory for this action.")
    }

    /// No service has such an action.
    static let noSuchAction = RPCError(
        "InvalidAction.NotFound", .notFound, "Specified api is not found, please check your url and method.")

    /// What the caller's own policies do not allow.
    static let noPermission = RPCError(
        "NoPermission", .forbidden, "You are not authorized to do this action. You should be authorized by RAM.")

    static let internalError = RPCError(
        "InternalError", .internalServerError, "The request processing has failed due to some unknown error.")
}
