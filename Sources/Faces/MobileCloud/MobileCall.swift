import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import ObjectServing
import WireFormats

/// One request to the mobile cloud.
struct MobileCall: Sendable {
    let http: Call
    /// The directory as it was when the request arrived.
    let mobile: MobileCloud
    /// Sends requests to issuers, social providers and custom code.
    let outbound: Outbound
    /// Receives the events of the collections' buckets.
    let events: EventOutbox
    /// Caches the configuration and keys of external issuers.
    let relay: TokenRelay
    /// The path's segments, percent-decoded; a trailing slash adds none.
    let path: [String]

    /// - Throws: ``MobileError`` for a path that is not valid text.
    init(http: Call, outbound: @escaping Outbound, events: EventOutbox, relay: TokenRelay) throws(MobileError) {
        self.http = http
        self.outbound = outbound
        self.events = events
        self.relay = relay
        mobile = http.cloud.directory.mobile
        var path: [String] = []
        for segment in http.path.split(separator: "/") {
            guard let text = percentDecoded(segment) else { throw MobileError(.malformedRequest, "The path is not well-formed.") }
            path.append(text)
        }
        self.path = path
    }

    var cloud: Cloud { http.cloud }

    /// HEAD is handled as GET; the front door omits the body.
    var method: HTTPRequest.Method { http.method == .head ? .get : http.method }

    /// The environment's base URL, as the caller spells it.
    var baseURL: String { http.origin }

    /// The parameters of the query. The SDKs send some of them without percent-encoding, so parsing is lenient.
    var query: FormFields { http.queryFields ?? [:] }

    /// Records the operation in the journal and applies errors on demand. No other code applies them to the mobile cloud.
    /// - Parameter caller: the name for the journal, if it is known.
    /// - Throws: `InjectedFault`.
    func enter(_ operation: String, caller: String? = nil) async throws {
        http.note(operation: operation)
        if let caller { http.note(caller: caller) }
        guard cloud.faults.isArmed else { return }
        try await http.applyFaults(
            FaultableCall(service: "mobile", action: operation, caller: caller, resources: [http.path]))
    }

    /// Records the operation, authenticates the caller, and applies errors on demand. Operations that require authentication start here.
    /// The operation is in the journal even if authentication fails.
    /// - Throws: ``MobileError``, `InjectedFault`.
    func enter(authenticating operation: String) async throws -> MobileCaller {
        http.note(operation: operation)
        let caller = try await authenticate()
        try await enter(operation, caller: caller.name)
        return caller
    }
}
