package import Calls
package import Cloud
import ControlFace
package import Federation
import GatewayFace
import HTTPTypes
import IdentityProviders
import Logging
package import NIOCore
import OSSFace
import S3Face
import WireFormats

/// Receives every request, routes it to a face, and writes the journal.
package final class FrontDoor: Sendable {
    /// The longest unsigned form, in bytes, that is read to find its service. STS accepts SAML assertions of 100,000 characters.
    private static let formLimit = 256 << 10

    private let cloud: Cloud
    private let names: HostNames
    private let faces: Faces
    private let access: ControlAccess
    private let servesDenied: Bool
    /// The services that are forwarded; `nil` if none is.
    private let upstreams: Upstreams?
    private let observers: RequestObservers
    /// Logs errors of Virga itself.
    private let logger: Logger
    private let date = DateStamp()

    /// - Parameters:
    ///   - names: the host names of this process.
    ///   - services: what the faces use besides the sandbox.
    ///   - control: what the control API and the web console use.
    ///   - rules: how the services behave where that can be set.
    ///   - observers: what receives each request once it is answered.
    package init(
        cloud: Cloud, names: HostNames, services: SandboxServices, control: ControlServices, rules: ServiceRules = ServiceRules(),
        observers: RequestObservers = RequestObservers()
    ) {
        self.cloud = cloud
        access = control.access
        servesDenied = rules.servesDenied
        upstreams = rules.gateway?.upstreams
        self.observers = observers
        logger = services.logger
        var names = names
        names.emulates = EmulatedHosts.contains
        self.names = names
        faces = Faces(cloud: cloud, services: services, control: control, rules: rules)
    }

    /// Responds to one request.
    /// - Parameter peer: the client's address, if the transport has one.
    package func respond(to request: Request, peer: SocketAddress?, isSecure: Bool) async -> Response {
        let started = ContinuousClock.now
        let (call, capture) = call(for: request, peer: peer, isSecure: isSecure)
        return await respond(to: call, since: started, capture)
    }

    /// Responds to a request of the sandbox itself, as to one of a client.
    /// - Parameter isRecorded: whether the journal has an entry even if the request is not refused.
    func enter(_ request: Request, for caller: Call, isRecorded: Bool = true) async -> ControlFace.Entered {
        let started = ContinuousClock.now
        var request = request
        request.forwarding = caller.forwarding
        let (call, capture) = call(for: request, peer: caller.peer, isSecure: caller.isSecure)
        let response = await respond(to: call, since: started, capture, isRecorded: isRecorded)
        return .init(response: response, requestID: call.id)
    }

    /// Creates the call of a request. If the journal should have headers and body of the request, it starts to capture them. Calls of the
    /// control API are not captured, because they contain secrets.
    private func call(for request: Request, peer: SocketAddress?, isSecure: Bool) -> (Call, CapturedExchange?) {
        guard let setting = cloud.journal.capture.setting(), !request.target.begins(with: "/_virga/") else {
            return (Call(request: request, peer: peer, isSecure: isSecure, cloud: cloud, names: names), nil)
        }
        let capture = CapturedExchange(limit: setting.bodyLimit)
        let captured = request.captured(by: capture, isSecret: access.isSecret)
        return (Call(request: captured, peer: peer, isSecure: isSecure, cloud: cloud, names: names), capture)
    }

    private func respond(
        to call: Call, since started: ContinuousClock.Instant, _ capture: CapturedExchange?, isRecorded: Bool = true
    ) async -> Response {
        let route = route(of: call)
        // The control API returns what policies decide, even if they are not enforced.
        if servesDenied, !route.endpoint.isOfControl { call.serveDenied() }
        if call.isFromBrowser, !route.isOfBucketHost, let refusal = BrowserGuard.refusal(of: call) {
            return finish(refusal, to: call, route, since: started, capture, isRecorded: isRecorded)
        }
        if route.endpoint == .form { return await respondToForm(call, since: started, capture, isRecorded: isRecorded) }
        let response = await tracedAnswer(call, route)
        return finish(response, to: call, route, since: started, capture, isRecorded: isRecorded)
    }

    /// Completes a response, and writes the journal.
    ///
    /// A function of its own that is not inlined, as are the others that say so: a variable of an asynchronous function takes room in a
    /// frame that is allocated for every request, even if it is not used across a suspension.
    @inline(never)
    private func finish(
        _ response: consuming Response, to call: Call, _ route: Route, since started: ContinuousClock.Instant, _ capture: CapturedExchange?,
        isRecorded: Bool
    ) -> Response {
        if let access = call.access {
            faces.s3.record(call, response, access)
            faces.oss.log(call, response, access)
        }
        if call.isFromBrowser, !route.isOfBucketHost { BrowserGuard.protect(&response, to: call) }
        if let failure = call.failure { report(failure, of: call) }
        if response.status == .forbidden, let refusal = call.refusal,
            let message = AuthorizationMessage.seal(refusal.evidence.message, key: cloud.sealingKey)
        {
            response.headers.append(HTTPField(name: .authorizationMessage, value: message))
        }
        // A response to HEAD has the headers of GET and no body (RFC 9110 section 9.3.2).
        if call.method == .head { response = response.createHeadResponse() }
        // Appended without a search, since no face sets it. It uses the wall clock even if the sandbox has another time: SDKs correct their
        // clocks by it, and signatures in headers are verified against the wall clock.
        response.headers.append(date.field(at: call.arrived))
        var entry = call.entry(status: response.status.code)
        if !entry.faults.isEmpty {
            response = call.cut(response)
            if response.isLost { entry.status = 0 }
        }
        if entry.status >= 400, entry.caller == nil { entry.claimedKey = call.claimedKey }
        if entry.isReported, let denial = entry.reason {
            response.headers.append(HTTPField(name: .wouldDeny, value: denial.visibleInASCII))
        }
        let duration = ContinuousClock.now - started
        if let log = observers.requestLog { log.note(entry, at: call.arrived, after: duration) }
        observers.observe?(entry)
        if cloud.usage.isEnabled, !route.endpoint.isOfControl { cloud.usage.record(entry, in: cloud.directory) }
        entry.duration = duration
        entry.requestBytes = call.headers.value(of: .contentLength).flatMap { Int64(digits: $0) }
        entry.responseBytes = response.body.contentLength.map { Int64($0) }
        if let requests = observers.requests {
            requests.record(
                route.endpoint.service, status: entry.status, duration: duration, received: entry.requestBytes, sent: entry.responseBytes)
        }
        guard isRecorded || entry.status >= 400, route.isRecorded(call, entry) else { return response }
        if let capture {
            response = response.captured(by: capture, isSecret: access.isSecret)
            entry.captured = capture
        }
        cloud.journal.append(entry)
        return response
    }

    /// Logs an unexpected error, whatever response the client received.
    private func report(_ failure: any Error, of call: Call) {
        logger.error(
            "A request failed",
            metadata: [
                "request": "\(call.id.text)", "method": "\(call.method)", "path": "\(call.path.visible)",
                "error": "\(String(describing: failure).visible)",
            ])
    }

    @inline(never)
    private func route(of call: Call) -> Route { Route(RoutingFacts(call, upstreams: upstreams)) }

    /// Answers a call, so that the requests that it causes to other servers belong to its trace.
    private func tracedAnswer(_ call: Call, _ route: Route) async -> Response {
        guard let trace = call.trace else { return await answer(call, route) }
        return await answer(call, route, in: trace)
    }

    @inline(never)
    private func answer(_ call: Call, _ route: Route, in trace: Trace) async -> Response {
        await Trace.$current.withValue(trace) { await answer(call, route) }
    }

    private func answer(_ call: Call, _ route: Route) async -> Response {
        // Most requests do without the list of the faces.
        switch route.endpoint {
        case .s3: await faces.s3.respond(to: call, bucketFromHost: route.name)
        case .oss: await faces.oss.respond(to: call, bucketFromHost: route.name)
        case .identityProvider: await faces.identityProviders.respond(to: call, provider: route.name ?? "", path: route.path)
        default: await answerByOtherFaces(call, route)
        }
    }

    @inline(never)
    private func answerByOtherFaces(_ call: Call, _ route: Route) async -> Response {
        await faces[route.endpoint].respond(to: call, at: Place(route, door: self))
    }

    /// Responds to an unsigned form at `/`, whose body has the action and the version of the service.
    @inline(never)
    private func respondToForm(
        _ call: Call, since started: ContinuousClock.Instant, _ capture: CapturedExchange?, isRecorded: Bool
    ) async -> Response {
        let form = (try? await call.collectBody(upTo: Self.formLimit)).map { QueryForm($0) }
        let route = Route(action: form?.fields?.first("Action"), version: form?.fields?.first("Version"), upstreams: upstreams)
        let response = await tracedAnswer(call, to: faces[route.endpoint], Place(route, form: form, door: self))
        return finish(response, to: call, route, since: started, capture, isRecorded: isRecorded)
    }

    private func tracedAnswer(_ call: Call, to face: any Face, _ place: Place) async -> Response {
        guard let trace = call.trace else { return await face.respond(to: call, at: place) }
        return await Trace.$current.withValue(trace) { await face.respond(to: call, at: place) }
    }
}

extension Route {
    /// Returns whether the journal has an entry of the call. It does not have what reads the journal or the metrics, and the pages of the web
    /// console, which would fill it. Refused calls are recorded.
    fileprivate func isRecorded(_ call: Call, _ entry: JournalEntry) -> Bool {
        guard entry.status < 400 else { return true }
        if endpoint == .consolePages { return false }
        guard endpoint == .control else { return true }
        let isRead = call.method == .get || call.method == .head
        return !(isRead && (path == "/journal" || path.hasPrefix("/journal/") || path == "/metrics"))
    }
}

extension HTTPField.Name {
    /// A header of Virga's own: why policies deny a request that was allowed anyway.
    fileprivate static let wouldDeny = HTTPField.Name(literal: "x-virga-would-deny")
    /// A header of Virga's own: the encoded reason of a denial, for DecodeAuthorizationMessage.
    fileprivate static let authorizationMessage = HTTPField.Name(literal: "x-virga-authorization-message")
}
