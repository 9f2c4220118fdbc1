import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// One call that has been read, and its signature verified where it must have one.
struct RPCCall: Sendable {
    let face: AlibabaRPCFace
    let http: Call
    let action: String
    /// Those of the query and of the form, together.
    let parameters: FormFields
    /// Anonymous where the operation takes calls that are not signed.
    let caller: Caller

    var cloud: Cloud { http.cloud }
    var directory: Directory { http.cloud.directory }
    /// When the call arrived.
    var now: Timestamp { Timestamp(seconds: http.received.seconds) }
    /// The caller's account; empty for an anonymous one.
    var account: String { caller.account ?? "" }

    /// A parameter that may be absent; an empty one counts as absent.
    func text(_ name: String) -> String? { parameters.value(name) }

    /// A parameter that must be there.
    /// - Throws: `Missing<name>`.
    func required(_ name: String) throws(RPCError) -> String {
        guard let value = parameters.value(name) else { throw .missing(name) }
        return value
    }
}

/// What a service can be asked to do, and whether it must be signed.
struct RPCOperation: Sendable {
    var isSigned = true
    /// Reads the parameters, asks for permission, acts, and says what the answer has beside the request's identifier: an object.
    var perform: @Sendable (RPCCall) async throws -> RPCValue
}

/// A service by the version of its API.
struct RPCService: Sendable {
    /// As the journal and errors on demand call it.
    let name: String
    /// As the pages of Alibaba Cloud call it.
    let product: String
    let operations: [String: RPCOperation]
    /// Who makes a call that is not signed, by what it carries; asked only where an error on demand is for somebody.
    var identify: (@Sendable (RPCCall) async -> String?)?
}
