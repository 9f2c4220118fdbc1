import AWSIdentityFaces
import AlibabaIdentityFaces
package import Calls
package import Cloud
package import ConsoleFace
package import ControlFace
import Directory
package import Federation
import HTTPTypes
import IdentityProviders
package import Logging
import MobileCloudFace
package import NIOCore
import OSSFace
package import ObjectServing
import ObjectStore
import Policy
import S3Face
package import Seeds
import WireFormats

/// Receives every request, routes it to a face, and writes the journal.
package final class FrontDoor: Sendable {
    /// The longest unsigned form, in bytes, that is read to find its service. STS accepts SAML assertions of 100,000 characters.
    private static let formLimit = 256 << 10

    private let cloud: Cloud
    private let names: HostNames
    private let s3: S3Face
    private let sts: STSFace
    private let iam: IAMFace
    private let scopedServices: ScopedServices
    private let oss: OSSFace
    private let alibabaRPC: AlibabaRPCFace
    private let appServer: AppServerFace
    private let identityProviders: IdentityProviderFace
    private let mobileCloud: MobileCloudFace
    private let vendingMachines: TokenVendingMachineFace
    private let outboundIssuers = OutboundIssuerFace()
    private let control: ControlFace
    private let console: ConsoleFace?
    private let access: ControlAccess
    private let servesDenied: Bool
    private let requestLog: RequestLog?
    private let requests: RequestMetrics?
    private let observe: (@Sendable (JournalEntry) -> Void)?
    /// Logs errors of Virga itself.
    private let logger: Logger
    private let date = DateStamp()

    /// - Parameters:
    /// - names: the host names of this process.
    ///   - events: receives the events of buckets.
    ///   - accessLog: receives the records of buckets' access logs.
    ///   - settleTime: performs what becomes due, before the response to a clock change is sent.
    ///   - access: the access rules of the control API.
    ///   - console: the web console; `nil` if it is off.
    ///   - issuers: finds the keys of external identity providers.
    ///   - applications: sends requests to the clients of the identity providers.
    ///   - outbound: sends requests to other servers.
    ///   - authority: the CA certificate of this process, in PEM; `nil` without TLS.
    ///   - admitsForeignPages: whether pages of any origin may sign requests with well-known keys.
    ///   - servesDenied: whether requests that policies deny are allowed and reported.
    ///   - requestLog: logs each request, if enabled.
    ///   - isReady: returns whether the start is complete.
    ///   - keyService: the URL of the KMS that S3 uses; `nil` accepts any key name.
    ///   - regions: whether S3 compares regions; `nil` if the host decides.
    ///   - observe: called with the journal entry of each request.
    ///   - sandboxKeeper: keeps the sandboxes of the process.
    ///   - process: the server process.
    ///   - requests: counts the requests.
    ///   - logger: logs errors of Virga itself.
    package init(
        cloud: Cloud, names: HostNames, events: EventOutbox, accessLog: AccessLog, access: ControlAccess, console: ConsoleFace? = nil,
        issuers: ForeignIssuers,
        applications: Applications, outbound: @escaping Outbound, authority: String? = nil, dialect: Dialect = .aws,
        admitsForeignPages: Bool = false, servesDenied: Bool = false, regions: RegionRule? = nil, keyService: String? = nil,
        requestLog: RequestLog? = nil, isReady: @escaping @Sendable () -> Bool = { true },
        observe: (@Sendable (JournalEntry) -> Void)? = nil, sandboxKeeper: (any SandboxKeeper)? = nil,
        process: (any ServerProcess)? = nil, requests: RequestMetrics? = nil, logger: Logger,
        settleTime: @escaping @Sendable () async -> Void
    ) {
        self.cloud = cloud
        self.access = access
        self.console = console
        self.servesDenied = servesDenied
        self.requestLog = requestLog
        self.requests = requests
        self.observe = observe
        self.logger = logger
        var names = names
        names.emulates = EmulatedHosts.contains
        self.names = names
        let authenticator = Authenticator(cloud: cloud, admitsForeignPages: admitsForeignPages)
        s3 = S3Face(
            authenticator: authenticator, events: events, accessLog: accessLog, dialect: dialect, regions: regions,
            keys: keyService.map { KeyService(url: $0, send: outbound) }, logger: logger)
        sts = STSFace(authenticator: authenticator, issuers: issuers, dialect: dialect)
        iam = IAMFace(authenticator: authenticator, dialect: dialect)
        scopedServices = ScopedServices(authenticator: authenticator)
        oss = OSSFace(authenticator: authenticator, outbound: outbound, events: events, accessLog: accessLog, logger: logger)
        alibabaRPC = AlibabaRPCFace(authenticator: authenticator, issuers: issuers)
        appServer = AppServerFace(authenticator: authenticator)
        identityProviders = IdentityProviderFace(applications: applications)
        mobileCloud = MobileCloudFace(outbound: outbound, events: events, logger: logger)
        vendingMachines = TokenVendingMachineFace(authenticator: authenticator)
        control = ControlFace(
            access: access, version: VirgaVersion.text, authority: authority, servesDenied: servesDenied, isReady: isReady,
            settleTime: settleTime,
            actionsOfS3: S3Face.actions, liveCaller: authenticator.caller(ofLiveSession:),
            ruling: { action, caller in
                guard Vendor(account: caller.account ?? Vendor.anonymous) == .aws else { return nil }
                return action.lowercased().hasPrefix("iam:") ? IAMFace.ruling(on: caller) : STSFace.ruling(on: action, by: caller)
            },
            decideS3: { [s3] call, action, resource, assumption in
                s3.decide(action, on: resource, assuming: assumption, for: call)
            },
            decideOSS: { [oss] call, action, resource, assumption in
                oss.decide(action, on: resource, assuming: assumption, for: call)
            }, credentials: authenticator.credentials(toSignAs:),
            liveSessions: authenticator.sessions.allLive,
            inspection: InspectionServices(
                verifyWebIdentity: { [sts] token, providerID, account, role, names in
                    try await sts.webIdentity(
                        of: token, providerID: providerID, account: account, role: role, in: cloud, names: names)
                }, checkSession: SessionVerification(authenticator: authenticator).verification(of:),
                checkIDToken: IDTokenVerification(cloud: cloud, issuers: issuers, sts: sts, alibaba: alibabaRPC).checks(of:by:_:),
                checkSAMLResponse: { [sts] in try await sts.checks(ofSAMLResponse: $0, role: $1, provider: $2, $3) },
                checkMobileToken: { [mobileCloud] in try await mobileCloud.checks(ofToken: $0, $1) },
                checkPostPolicy: { text, clock in
                    [
                        ("S3", S3Face.checks(ofPostPolicy: text, by: clock)), ("OSS", OSSFace.checks(ofPostPolicy: text, by: clock)),
                    ]
                },
                verifyPresigned: PresignedVerification(s3: s3, oss: oss, sts: sts).verification(of:)),
            sandboxKeeper: sandboxKeeper, process: process)
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
    private func enter(_ request: Request, for caller: Call, isRecorded: Bool = true) async -> ControlFace.Entered {
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
        if servesDenied, !route.isControl { call.serveDenied() }
        if call.isFromBrowser, !route.isOfBucketHost, let refusal = BrowserGuard.refusal(of: call) {
            return finish(refusal, to: call, route, since: started, capture, isRecorded: isRecorded)
        }
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
            s3.record(call, response, access)
            oss.log(call, response, access)
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
        if let requestLog { requestLog.note(entry, at: call.arrived, after: duration) }
        observe?(entry)
        if cloud.usage.isEnabled, !route.isControl { cloud.usage.record(entry, in: cloud.directory) }
        entry.duration = duration
        entry.requestBytes = call.headers.value(of: .contentLength).flatMap { Int64(digits: $0) }
        entry.responseBytes = response.body.contentLength.map { Int64($0) }
        if let requests {
            requests.record(
                MeteredService(route, face: entry.face), status: entry.status, duration: duration, received: entry.requestBytes,
                sent: entry.responseBytes)
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
    private func route(of call: Call) -> Route { Route(RoutingFacts(call)) }

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
        // Most requests do without the frame for the other faces.
        switch route {
        case .s3(let bucket): await s3.respond(to: call, bucketFromHost: bucket)
        case .oss(let bucket): await oss.respond(to: call, bucketFromHost: bucket)
        case .form: await answerForm(call)
        case .identityProvider(let name, let path): await identityProviders.respond(to: call, provider: name, path: path)
        default: await answerByOtherFaces(call, route)
        }
    }

    @inline(never)
    private func answerByOtherFaces(_ call: Call, _ route: Route) async -> Response {
        switch route {
        case .control(let path):
            if let console, path == "/ui" || path.hasPrefix("/ui/") {
                return await console.respond(to: call, path: String(path.dropFirst("/ui".count))) { [self] request in
                    await enter(request, for: call).response
                }
            }
            return await control.respond(to: call, path: path) { [self] request, isRecorded in
                await enter(request, for: call, isRecorded: isRecorded)
            }
        case .website(let bucket): return await s3.respondAsWebsite(to: call, bucket: bucket)
        case .s3(let bucket): return await s3.respond(to: call, bucketFromHost: bucket)
        case .s3Unavailable: return s3.respondAsUnavailable(to: call)
        case .identityProvider(let name, let path):
            return await identityProviders.respond(to: call, provider: name, path: path)
        case .webFinger: return identityProviders.respondToWebFinger(call)
        case .oss(let bucket): return await oss.respond(to: call, bucketFromHost: bucket)
        case .alibabaRPC: return await alibabaRPC.respond(to: call)
        case .appServer: return await appServer.respond(to: call)
        case .mobileCloud: return await mobileCloud.respond(to: call)
        case .vendingMachine(let kind, let path): return await vendingMachines.respond(to: call, machine: kind, path: path)
        case .outboundIssuer(let id, let path): return await outboundIssuers.respond(to: call, issuer: id, path: path)
        case .sts: return await sts.respond(to: call, form: nil)
        case .iam: return await iam.respond(to: call, form: nil)
        case .unavailable(let service): return await scopedServices.respond(to: call, service: service)
        case .form: return await answerForm(call)
        case .console:
            call.note(face: "console")
            return ConsoleEntrance.redirect
        case .icon:
            call.note(face: "control")
            return Response(status: .noContent, headers: [.cacheControl: "max-age=86400"])
        case .localStackHealth: return control.respondToLocalStackHealth(call)
        }
    }

    /// Routes an unsigned form at `/` by the action and version in its body.
    private func answerForm(_ call: Call) async -> Response {
        do {
            let form = QueryForm(try await call.collectBody(upTo: Self.formLimit))
            switch Route(action: form.fields?.first("Action"), version: form.fields?.first("Version")) {
            case .sts: return await sts.respond(to: call, form: form)
            case .iam: return await iam.respond(to: call, form: form)
            case .alibabaRPC: return await alibabaRPC.respond(to: call, form: form)
            default: return await s3.respond(to: call, bucketFromHost: nil)
            }
        } catch {
            return await s3.respond(to: call, bucketFromHost: nil)
        }
    }
}

/// The objects of the sandbox that a path or host can name.
private struct SandboxResidents: Residents {
    let cloud: Cloud

    func isBucket(_ name: String) -> Bool { cloud.objects.bucket(named: name) != nil }
    func isOSSBucket(_ name: String) -> Bool { cloud.objects.bucket(named: name).map { $0.shown(by: .aws) == nil } ?? false }
    func isS3Bucket(_ name: String) -> Bool { cloud.objects.bucket(named: name).map { $0.shown(by: .alibaba) == nil } ?? false }
    func bucketOfHost(_ host: String) -> String? { cloud.objects.bucket(hostedAt: host)?.name }
    func isProvider(_ name: String) -> Bool { cloud.directory.providers[name] != nil }
    func hasMobileBackends() -> Bool { !cloud.directory.mobile.backends.isEmpty }
    func hasVendingMachine(_ kind: VendingMachines.Kind) -> Bool { cloud.directory.vending.machines[kind] != nil }
    func isAppServer(_ path: String) -> Bool { AppServerFace.answers(path, in: cloud.directory) }
    func vendingMachineOfHost(_ host: String) -> VendingMachines.Kind? { cloud.directory.vending.kind(ofHost: host) }
    func samlProvider() -> String? { cloud.directory.providers.values.lazy.filter { $0.saml != nil }.map(\.name).min() }
}

extension Route {
    /// Returns whether the journal has an entry of the call. It does not have what reads the journal or the metrics, and the pages of the web
    /// console, which would fill it. Refused calls are recorded.
    fileprivate func isRecorded(_ call: Call, _ entry: JournalEntry) -> Bool {
        guard case .control(let path) = self, entry.status < 400 else { return true }
        if path == "/ui" || path.hasPrefix("/ui/") { return false }
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

extension RoutingFacts {
    /// The facts of a call.
    init(_ call: Call) {
        self.init(
            method: call.method, host: call.host, path: call.path, query: call.query,
            authorization: call.headers.value(of: .authorization), contentType: call.headers.value(of: .contentType), names: call.names,
            headers: call.headers, residents: SandboxResidents(cloud: call.cloud), call: call)
    }
}
