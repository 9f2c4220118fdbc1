import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import ObjectServing
import WireFormats

/// One call of the mobile cloud.
struct MobileCall: Sendable {
    let http: Call
    /// The directory as it was when the call came.
    let mobile: MobileCloud
    /// Makes requests of issuers, social providers and custom code.
    let outbound: Outbound
    /// Takes what the buckets of collections tell others of.
    let events: EventOutbox
    /// What is remembered of issuers elsewhere.
    let relay: TokenRelay
    /// The path's segments, percent-decoded; a slash at the end adds none.
    let path: [String]

    /// - Throws: ``MobileError`` for a path that is no text.
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

    /// HEAD is answered as GET, and the front door leaves the content out.
    var method: HTTPRequest.Method { http.method == .head ? .get : http.method }

    /// The environment's base URL, as the caller spells it.
    var baseURL: String { http.origin }

    /// The query's parameters. Clients of the SDKs write some of them without encoding, so that reading is lenient.
    var query: FormFields { FormFields(parsing: http.query) ?? [:] }

    /// Notes the operation, and lets errors on demand have their way with it: the one place where they reach the mobile cloud.
    /// - Parameter caller: as the journal names it, where it is known.
    /// - Throws: `InjectedFault`.
    func enter(_ operation: String, caller: String? = nil) async throws {
        http.note(operation: operation)
        if let caller { http.note(caller: caller) }
        guard cloud.faults.isArmed else { return }
        try await http.meetFaults(
            FaultableCall(service: "mobile", action: operation, caller: caller, resources: [http.path]))
    }

    /// Notes the operation, finds who makes the call, and lets errors on demand have their way with it: how an operation begins that asks
    /// who calls. A call that nobody makes is in the journal under its operation, too.
    /// - Throws: ``MobileError``, `InjectedFault`.
    func enter(authenticating operation: String) async throws -> MobileCaller {
        http.note(operation: operation)
        let caller = try await authenticate()
        try await enter(operation, caller: caller.name)
        return caller
    }
}
