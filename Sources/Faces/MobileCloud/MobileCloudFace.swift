package import Calls
import Cloud
import Directory
package import Federation
import HTTPTypes
package import Logging
package import ObjectServing
import WireFormats

/// The client-facing API of Oracle Mobile Cloud Service: authentication, the token relay, the platform APIs and custom APIs.
/// (Using Oracle Mobile Cloud Service, chapter "Authentication in MCS"; REST API for Oracle Mobile Cloud Service.)
package struct MobileCloudFace: Sendable {
    private let outbound: Outbound
    private let events: EventOutbox
    private let relay: TokenRelay

    /// - Parameters:
    /// - outbound: sends requests to issuers, social providers and custom code.
    ///   - events: receives the events of buckets.
    ///   - logger: logs issuers that cannot be reached.
    package init(outbound: @escaping Outbound, events: EventOutbox, logger: Logger) {
        self.init(outbound: outbound, events: events, relay: TokenRelay(logger: logger))
    }

    init(outbound: @escaping Outbound, events: EventOutbox, relay: TokenRelay) {
        self.outbound = outbound
        self.events = events
        self.relay = relay
    }

    /// Returns whether a path belongs to the mobile cloud.
    /// - Parameter hasBackends: whether any mobile backend exists; if not, token endpoints and other paths below `/mobile/` may be buckets.
    package static func answers(_ path: String, hasBackends: Bool) -> Bool {
        ["/mobile/platform/", "/mobile/custom/", "/mobile/system/"].contains(where: path.hasPrefix)
            || hasBackends && (MobileTokenEndpoint.paths.contains(path) || path.hasPrefix("/mobile/") && path != "/mobile/")
    }

    /// Responds to one request. Errors are returned in the platform's JSON, or as OAuth errors at the token endpoints.
    package func respond(to call: Call) async -> Response {
        call.note(face: "mobile")
        let crossSite = CrossSiteRequest(call, policies: call.cloud.directory.mobile.environment.policies)
        // Preflight requests carry no credentials.
        if let answer = crossSite?.preflightAnswer { return answer }
        var response = await answer(call)
        crossSite?.admit(to: &response)
        return response
    }

    private func answer(_ call: Call) async -> Response {
        do {
            return try await route(try mobileCall(call))
        } catch {
            let refusal = ErrorResponder(call: call)
            if let response = refusal.response(to: error) { return response }
            call.note(failure: error)
            return refusal.failure
        }
    }

    /// Returns a request as the APIs read it.
    func mobileCall(_ call: Call) throws(MobileError) -> MobileCall {
        try MobileCall(http: call, outbound: outbound, events: events, relay: relay)
    }

    private func route(_ call: MobileCall) async throws -> Response {
        if MobileTokenEndpoint.paths.contains(call.http.path) { return try await MobileTokenEndpoint(call: call).respond() }
        switch (call.path.dropFirst().first, call.path.dropFirst(2).first) {
        case ("custom", _): return try await CustomAPIs(call: call).respond()
        case ("platform", "auth"): return try await JWTExchange(call: call).respond()
        case ("platform", "sso"): return try await SingleSignOn(call: call).respond()
        case ("platform", "users"): return try await PlatformUsers(call: call).respond()
        case ("platform", "appconfig"): return try await AppPolicies(call: call).respond()
        case ("platform", "analytics"): return try await Analytics(call: call).respond()
        case ("platform", "devices"): return try await Devices(call: call).respond()
        case ("platform", "location"): return try await Location(call: call).respond()
        case ("platform", "storage"): return try await Storage(call: call).respond()
        case ("platform", "extended"): return try await ExtendedUsers(call: call).respond()
        case ("platform", "database"): return try await DatabaseAccess(call: call).respond()
        case ("platform", "ums"): return try await NotificationTokens(call: call).respond()
        case ("system", "databaseManagement"): return try await DatabaseManagement(call: call).respond()
        case ("system", "notifications"): return try await Notifications(call: call).respond()
        default: throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
    }
}
