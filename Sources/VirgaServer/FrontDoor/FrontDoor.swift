import AWSIdentityFaces
import AlibabaIdentityFaces
package import Calls
package import Cloud
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

/// Takes every request in: picks the sandbox and the face, lets the face answer, and writes the journal.
package final class FrontDoor: Sendable {
    /// Bytes of an unsigned form that are read to see whom it is for; STS takes SAML assertions of 100,000 characters.
    private static let formLimit = 256 << 10

    private let cloud: Cloud
    private let names: HostNames
    private let s3: S3Face
    private let sts: STSFace
    private let iam: IAMFace
    private let oss: OSSFace
    private let alibabaRPC: AlibabaRPCFace
    private let appServer: AppServerFace
    private let identityProviders: IdentityProviderFace
    private let mobileCloud: MobileCloudFace
    private let vendingMachines: TokenVendingMachineFace
    private let outboundIssuers = OutboundIssuerFace()
    private let control: ControlFace
    private let servesDenied: Bool
    private let requestLog: RequestLog?
    private let observe: (@Sendable (JournalEntry) -> Void)?
    /// Logs failures of Virga itself.
    private let logger: Logger
    private let date = DateStamp()

    /// - Parameters:
    ///   - names: what this process is called.
    ///   - events: takes what buckets tell others of.
    ///   - accessLog: takes what buckets' logs tell.
    ///   - settleTime: done before a call that changes the clock answers.
    ///   - access: who may use the control API.
    ///   - issuers: finds the keys of identity providers elsewhere.
    ///   - applications: reaches those that are registered at the identity providers.
    ///   - outbound: makes requests of other servers.
    ///   - authority: the certificate of whoever signs the certificates of this process, as PEM, if it speaks TLS.
    ///   - admitsForeignPages: whether pages of any origin may sign requests with well-known keys.
    ///   - servesDenied: whether what policies deny is served and reported.
    ///   - requestLog: shows each call, where that is wanted.
    ///   - isReady: whether everything that belongs to the start is done.
    ///   - keyService: the URL of the key management service that S3 asks; `nil` if any name is a key.
    ///   - regions: whether S3 compares regions; `nil` if the host decides.
    ///   - observe: hears of each call, as the journal keeps it.
    ///   - logger: told of failures of our own.
    package init(
        cloud: Cloud, names: HostNames, events: EventOutbox, accessLog: AccessLog, access: ControlAccess, issuers: ForeignIssuers,
        applications: Applications, outbound: @escaping Outbound, authority: String? = nil, dialect: Dialect = .aws,
        admitsForeignPages: Bool = false, servesDenied: Bool = false, regions: RegionRule? = nil, keyService: String? = nil,
        requestLog: RequestLog? = nil, isReady: @escaping @Sendable () -> Bool = { true },
        observe: (@Sendable (JournalEntry) -> Void)? = nil, logger: Logger,
        settleTime: @escaping @Sendable () async -> Void
    ) {
        self.cloud = cloud
        self.servesDenied = servesDenied
        self.requestLog = requestLog
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
        oss = OSSFace(authenticator: authenticator, outbound: outbound, events: events, accessLog: accessLog, logger: logger)
        alibabaRPC = AlibabaRPCFace(authenticator: authenticator, issuers: issuers)
        appServer = AppServerFace(authenticator: authenticator)
        identityProviders = IdentityProviderFace(applications: applications)
        mobileCloud = MobileCloudFace(outbound: outbound, events: events, logger: logger)
        vendingMachines = TokenVendingMachineFace(authenticator: authenticator)
        control = ControlFace(
            access: access, version: VirgaVersion.text, authority: authority, isReady: isReady, settleTime: settleTime,
            actionsOfS3: S3Face.actions, liveCaller: authenticator.caller(ofLiveSession:),
            decideS3: { [s3] call, action, resource, assumption in
                s3.decide(action, on: resource, assuming: assumption, for: call)
            },
            decideOSS: { [oss] call, action, resource, assumption in
                oss.decide(action, on: resource, assuming: assumption, for: call)
            })
    }

    /// Answers one request; a refusal is an answer.
    /// - Parameter peer: the client's address, if the transport has one.
    package func respond(to request: Request, peer: SocketAddress?, isSecure: Bool) async -> Response {
        let started = requestLog == nil ? nil : ContinuousClock.now
        let call = Call(request: request, peer: peer, isSecure: isSecure, cloud: cloud, names: names)
        let route = route(of: call)
        // The control API answers what policies decide, also where they are not enforced.
        if servesDenied, !route.isControl { call.serveDenied() }
        let isGuarded = call.isFromBrowser && !route.isOfBucketHost
        var response: Response
        if isGuarded, let refusal = BrowserGuard.refusal(of: call) {
            response = refusal
        } else {
            response = await answer(call, route)
        }
        if let access = call.access {
            s3.record(call, response, access)
            oss.log(call, response, access)
        }
        if isGuarded { BrowserGuard.protect(&response, to: call) }
        if let failure = call.failure { report(failure, of: call) }
        if response.status == .forbidden, let refusal = call.refusal,
            let message = AuthorizationMessage.seal(refusal.evidence.message, key: cloud.sealingKey)
        {
            response.headers.append(HTTPField(name: .authorizationMessage, value: message))
        }
        // An answer to HEAD has the fields of GET's and no content (RFC 9110 section 9.3.2).
        if call.method == .head { response = response.createHeadResponse() }
        // Appended: no face writes it, and to look for it takes longer than to write it. The wall clock's, whatever the sandbox's
        // is: SDKs set their own clock by it, and header signatures are judged by the wall clock.
        response.headers.append(HTTPField(name: .date, value: date.text(at: call.arrived)))
        var entry = call.entry(status: response.status.code)
        if !entry.faults.isEmpty {
            response = call.cut(response)
            if response.isLost { entry.status = 0 }
        }
        if entry.status >= 400, entry.caller == nil { entry.claimedKey = call.claimedKey }
        if entry.isReported, let denial = entry.reason {
            response.headers.append(HTTPField(name: .wouldDeny, value: denial.visibleInASCII))
        }
        if let requestLog, let started { requestLog.note(entry, at: call.arrived, after: ContinuousClock.now - started) }
        observe?(entry)
        cloud.journal.append(entry)
        return response
    }

    /// Logs an error that no face expected, whatever the client got.
    private func report(_ failure: any Error, of call: Call) {
        logger.error(
            "A request failed",
            metadata: [
                "request": "\(call.id.text)", "method": "\(call.method)", "path": "\(call.path.visible)",
                "error": "\(String(describing: failure).visible)",
            ])
    }

    private func route(of call: Call) -> Route {
        Route(
            RoutingFacts(
                method: call.method, host: call.host, path: call.path, query: call.query,
                authorization: call.headers.value(of: .authorization), contentType: call.headers.value(of: .contentType),
                names: names,
                headers: call.headers, residents: SandboxResidents(cloud: cloud)))
    }

    private func answer(_ call: Call, _ route: Route) async -> Response {
        switch route {
        case .control(let path): return await control.respond(to: call, path: path)
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
        case .unavailable(let service): return UnavailableService(name: service).respond(to: call)
        case .form: return await answerForm(call)
        case .icon:
            call.note(face: "control")
            return Response(status: .noContent, headers: [.cacheControl: "max-age=86400"])
        }
    }

    /// An unsigned form at `/` says whom it is for in its body.
    private func answerForm(_ call: Call) async -> Response {
        do {
            let form = QueryForm(try await call.collectBody(upTo: Self.formLimit))
            switch Route(action: form.fields?.first("Action"), version: form.fields?.first("Version")) {
            case .sts: return await sts.respond(to: call, form: form)
            case .iam: return await iam.respond(to: call, form: form)
            case .alibabaRPC: return await alibabaRPC.respond(to: call, form: form)
            case .unavailable(let service): return UnavailableService(name: service).respond(to: call)
            default: return await s3.respond(to: call, bucketFromHost: nil)
            }
        } catch {
            return await s3.respond(to: call, bucketFromHost: nil)
        }
    }
}

/// What paths and hosts can mean in a sandbox.
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

extension HTTPField.Name {
    /// Our own: why policies deny a request that was served.
    fileprivate static let wouldDeny = HTTPField.Name(literal: "x-virga-would-deny")
    /// Our own: why a request was refused, for DecodeAuthorizationMessage.
    fileprivate static let authorizationMessage = HTTPField.Name(literal: "x-virga-authorization-message")
}
