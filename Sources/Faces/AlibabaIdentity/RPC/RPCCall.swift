import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// One call whose parameters have been read and whose signature, if required, has been verified.
struct RPCCall: Sendable {
    let face: AlibabaRPCFace
    let http: Call
    let action: String
    /// The parameters of the query and of the form, together.
    let parameters: FormFields
    /// The caller; anonymous if the operation accepts unsigned calls.
    let caller: Caller

    var cloud: Cloud { http.cloud }
    var directory: Directory { http.cloud.directory }
    /// When the call arrived.
    var now: Timestamp { Timestamp(seconds: http.received.seconds) }
    /// The caller's account; empty for an anonymous one.
    var account: String { caller.account ?? "" }

    /// Returns a parameter that may be absent; an empty one counts as absent.
    func text(_ name: String) -> String? { parameters.value(name) }

    /// Returns a required parameter.
    /// - Throws: `Missing<name>`.
    func required(_ name: String) throws(RPCError) -> String {
        guard let value = parameters.value(name) else { throw .missing(name) }
        return value
    }
}

/// An operation of a service, and whether calls of it must be signed.
struct RPCOperation: Sendable {
    var isSigned = true
    /// Performs the operation, including authorization. Returns an object with the members of the response except the request ID.
    var perform: @Sendable (RPCCall) async throws -> RPCValue
}

/// One version of a service's API.
struct RPCService: Sendable {
    /// The service's name in the journal and in errors on demand.
    let name: String
    /// The service's name in the documentation of Alibaba Cloud.
    let product: String
    let operations: [String: RPCOperation]
    /// Returns the caller of an unsigned call, from its token or assertion. It is called only if an error on demand is limited to a caller.
    var identify: (@Sendable (RPCCall) async -> String?)?
}
