package import Calls
import Cloud
import ControlDocuments
package import Federation
import HTTPTypes
import ObjectStore
import Seeds
import WireFormats

/// The control API under `/_virga/`, with which tests control the sandbox in ways that no real service offers. It accepts and returns JSON.
package struct ControlFace: Sendable {
    static let bodyLimit = 1 << 20

    let access: ControlAccess
    /// The version of the program.
    let version: String
    /// The CA certificate that clients should trust, in PEM; `nil` without TLS.
    let authority: String?
    /// Whether requests that policies deny are allowed and reported.
    let servesDenied: Bool
    /// Returns whether the start is complete.
    let isReady: @Sendable () -> Bool
    /// Keeps the sandboxes of the process; `nil` in a process with one sandbox only.
    let sandboxKeeper: (any SandboxKeeper)?
    /// The server process; `nil` without one.
    let process: (any ServerProcess)?
    /// Performs what becomes due at the new time, before the response to a clock change is sent.
    let settleTime: @Sendable () async -> Void
    /// The actions that `decideS3` accepts.
    let actionsOfS3: [String]
    /// Returns whether the service of an action, in lowercase, is forwarded.
    let isForwarded: @Sendable (_ service: String) -> Bool
    /// Returns the servers that AWS services are forwarded to.
    let upstreams: @Sendable () -> [UpstreamState]
    /// Returns the caller of the newest live session, with the content of its token.
    let liveCaller: @Sendable (_ name: String) -> Caller?
    /// Returns credentials that sign requests as a principal.
    let credentials: @Sendable (_ name: String) throws -> SigningCredentials?
    /// Returns the live sessions of temporary credentials, the newest first.
    let liveSessions: @Sendable () -> [SessionCredentials]
    /// Verifies tokens; `nil` if tokens of this sandbox's services cannot be verified.
    let inspection: InspectionServices?
    /// Returns what STS or IAM decides about an action without policies.
    let ruling: @Sendable (_ action: String, Caller) -> CallRuling?
    /// Evaluates an action of S3.
    let decideS3: StoreQuestion
    /// Evaluates an action of OSS.
    let decideOSS: StoreQuestion

    /// Evaluates an action on a resource of S3 or OSS; `nil` for an unknown action.
    package typealias StoreQuestion = @Sendable (Call, _ action: String, _ resource: String, AccessAssumption) -> Authorizer.Verdict?

    /// Answers a request of the control API itself, as if a client had sent it to this sandbox.
    package typealias Enter = @Sendable (Request, _ isRecorded: Bool) async -> Entered

    /// The response to a request of the control API itself.
    package struct Entered: Sendable {
        /// The response.
        package var response: Response
        /// The ID of the request, by which the journal has it.
        package var requestID: RequestID

        package init(response: Response, requestID: RequestID) {
            self.response = response
            self.requestID = requestID
        }
    }

    /// - Parameters:
    ///   - access: the access rules.
    ///   - version: the version of the program.
    ///   - authority: the CA certificate that clients should trust, in PEM; `nil` without TLS.
    ///   - servesDenied: whether requests that policies deny are allowed and reported.
    ///   - isReady: returns whether the start is complete.
    ///   - settleTime: performs what becomes due after a clock change.
    ///   - actionsOfS3: the actions that `decideS3` accepts.
    ///   - isForwarded: returns whether the service of an action, in lowercase, is forwarded.
    ///   - upstreams: returns the servers that AWS services are forwarded to.
    ///   - liveCaller: returns the caller of the newest live session with an ARN or temporary access key.
    ///   - ruling: returns what STS or IAM decides about an action without policies.
    ///   - decideS3: evaluates an action of S3.
    ///   - decideOSS: evaluates an action of OSS.
    ///   - credentials: returns credentials that sign requests as a principal.
    ///   - liveSessions: returns the live sessions of temporary credentials, the newest first.
    ///   - inspection: verifies tokens.
    ///   - sandboxKeeper: keeps the sandboxes of the process.
    ///   - process: the server process.
    package init(
        access: ControlAccess, version: String = "", authority: String? = nil, servesDenied: Bool = false,
        isReady: @escaping @Sendable () -> Bool = { true },
        settleTime: @escaping @Sendable () async -> Void = {},
        actionsOfS3: [String] = [], isForwarded: @escaping @Sendable (_ service: String) -> Bool = { _ in false },
        upstreams: @escaping @Sendable () -> [UpstreamState] = { [] },
        liveCaller: @escaping @Sendable (_ name: String) -> Caller? = { _ in nil },
        ruling: @escaping @Sendable (_ action: String, Caller) -> CallRuling? = { _, _ in nil },
        decideS3: @escaping StoreQuestion = { _, _, _, _ in nil }, decideOSS: @escaping StoreQuestion = { _, _, _, _ in nil },
        credentials: @escaping @Sendable (_ name: String) throws -> SigningCredentials? = { _ in nil },
        liveSessions: @escaping @Sendable () -> [SessionCredentials] = { [] },
        inspection: InspectionServices? = nil,
        sandboxKeeper: (any SandboxKeeper)? = nil, process: (any ServerProcess)? = nil
    ) {
        self.process = process
        self.sandboxKeeper = sandboxKeeper
        self.access = access
        self.version = version
        self.authority = authority
        self.servesDenied = servesDenied
        self.credentials = credentials
        self.inspection = inspection
        self.isReady = isReady
        self.settleTime = settleTime
        self.actionsOfS3 = actionsOfS3
        self.isForwarded = isForwarded
        self.upstreams = upstreams
        self.liveCaller = liveCaller
        self.liveSessions = liveSessions
        self.ruling = ruling
        self.decideS3 = decideS3
        self.decideOSS = decideOSS
    }

    /// Responds to one call.
    /// - Parameters:
    ///   - path: the path after `/_virga`.
    ///   - enter: answers the requests that `POST /_virga/send` describes.
    package func respond(
        to call: Call, path: String,
        enter: @escaping Enter = { _, _ in Entered(response: Response(status: .serviceUnavailable), requestID: RequestID()) }
    ) async -> Response {
        call.note(face: "control")
        var response = await answer(call, path: path, enter)
        protect(&response, to: call)
        return response
    }

    /// Prevents frames and other origins from using a response.
    func protect(_ response: inout Response, to call: Call) {
        response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'; sandbox"
        response.headers[.resourcePolicy] = "same-origin"
        response.headers[.xContentTypeOptions] = "nosniff"
        if access.admitsPages, call.headers.contains(.origin) { response.headers[.accessControlAllowOrigin] = "*" }
    }

    private func answer(_ call: Call, path: String, _ enter: @escaping Enter) async -> Response {
        do {
            return try await perform(call, path, enter)
        } catch let error as ControlError {
            return refuse(error, call)
        } catch let refusal as SandboxRefusal {
            return refuse(ControlError(refusal), call)
        } catch let refusal as Classroom.Refusal {
            return refuse(ControlError(refusal), call)
        } catch let faults as SeedFaults {
            return refuse(ControlError(faults), call)
        } catch let error as BodyTooLarge {
            return refuse(ControlError(.contentTooLarge, "body_too_large", "The body may have at most \(error.limit) bytes."), call)
        } catch is ContentCutOff {
            return refuse(ControlError(.badRequest, "malformed_body", "The body ends early."), call)
        } catch let error where FullStorage.isCause(of: error) {
            return refuse(ControlError(.insufficientStorage, "storage_full", FullStorage.message(for: error)), call)
        } catch {
            call.note(failure: error)
            return refuse(ControlError(.internalServerError, "internal_error", "Virga failed; its log says why."), call)
        }
    }

    private func refuse(_ error: ControlError, _ call: Call) -> Response {
        call.note(errorCode: error.code, message: error.message)
        return error.response
    }

    private func perform(_ call: Call, _ path: String, _ enter: @escaping Enter) async throws -> Response {
        let calls = ControlCall.at(path)
        guard let operation = calls.first?.operation else {
            throw ControlError(.notFound, "unknown_path", "There is no /_virga\(path). GET /_virga/ lists all calls.")
        }
        call.note(operation: operation.rawValue)
        if call.method == .options, call.headers.contains(.accessControlRequestMethod) {
            do { return try access.preflight() } catch { throw ControlError(error) }
        }
        let method = call.method == .head ? .get : call.method
        guard calls.contains(where: { $0.method == method }) else {
            let methods = calls.map(\.method)
            var error = ControlError(
                .methodNotAllowed, "method_not_allowed",
                "Use \(methods.map(\.rawValue).joined(separator: " or ")) for /_virga\(path).")
            error.allowed = methods
            throw error
        }
        if !operation.isOpen {
            do {
                // The page of a class polls the list of sandboxes.
                try access.check(
                    call, isOfProcess: operation.isOfProcess, isForPages: path == "/sandboxes" && method == .get)
            } catch {
                throw ControlError(error)
            }
        }
        switch operation {
        case .list: return .json(["version": .string(version), "calls": .array(ControlCall.described)])
        case .openAPI: return Response(status: .ok, contentType: "application/json", body: OpenAPI.text(version: version))
        case .health: return .json(["status": "ok"])
        case .ready: return try answerReady()
        case .drain: return try await answerDrain(call)
        case .metrics: return try answerMetrics(call)
        case .authority: return try authorityCertificate()
        case .info: return try await describeSandbox(call)
        case .principals: return listPrincipals(call)
        case .reach: return try await answerReach(call)
        case .buckets: return listBuckets(call)
        case .bucket: return try await deleteBucket(call, path: path)
        case .userPoolCodes: return try listUserPoolCodes(call)
        case .presign: return try presign(call, try await body(of: call))
        case .send: return try await send(call, try await body(of: call, upTo: Self.longestSending), enter)
        case .inspect: return try await inspect(call, try await body(of: call))
        case .seed: return try await answerSeed(call)
        case .reset:
            try await call.cloud.reset()
            return .json(["status": "ok"])
        case .compact:
            return .json(["status": "ok", "freed": .integer(try await call.cloud.database.compact())])
        case .clock where call.method == .post: return try await changeClock(call, try await body(of: call))
        case .clock: return .json(call.cloud.clock.document.json)
        case .tokens:
            let body = try await body(of: call)
            return try await body["serviceProvider"] == nil ? issueToken(call, body) : issueAssertion(call, body)
        case .credentials where call.method != .post: return listCredentials(call)
        case .credentials: return try await offerCredentials(call, try await body(of: call))
        case .certificates: return try await issueCertificate(call, try await body(of: call))
        case .revokeCertificate: return try await revokeCertificate(call, try await body(of: call))
        case .providers: return try await answerProviders(call, path: path)
        case .serviceProviders: return try await answerServiceProviders(call, path: path)
        case .grants: return try await revokeGrants(call, path: path)
        case .subjects: return try listSubjects(call, path: path)
        case .apps: return try await answerApps(call, path: path)
        case .keys: return try await listKeys(call)
        case .rotateKeys: return try await rotateKeys(call, try await body(of: call))
        case .journal: return try answerJournal(call)
        case .journalEntry: return try describeEntry(call, String(path.dropFirst("/journal/".count)))
        case .journalDiagram: return try drawJournal(call)
        case .capture: return try await answerCapture(call)
        case .verifyJournal: return try verifyJournal(call, try await body(of: call))
        case .usage: return try await answerUsage(call)
        case .leastPolicy: return try leastPolicy(call)
        case .cloudTrail: return try importCloudTrail(call, try await body(of: call))
        case .coverage: return try policyCoverage(call)
        case .usageHistory: return try usageHistory(call)
        case .faults: return try await answerFaults(call, id: String(path.dropFirst("/faults/".count)))
        case .faultCatalogue: return listFaultCodes(call)
        case .explain: return try await explain(call, try await body(of: call))
        case .sandboxes: return try await answerSandboxes(call, path: path)
        case .snapshots: return try await answerSnapshots(call, path: path)
        case .classroom: return try await answerClass(call, path: path)
        case .mobile: return try await MobileAdministration(call, path: path).respond()
        }
    }

    private func authorityCertificate() throws(ControlError) -> Response {
        guard let authority else {
            throw ControlError(.notFound, "no_tls", "This process does not speak TLS. Start it with --tls-port.")
        }
        return Response(status: .ok, contentType: "application/x-pem-file", text: authority)
    }

    /// Returns the JSON object in the body of a call.
    /// - Parameters:
    ///   - limit: the accepted size in bytes.
    ///   - isOptional: whether an empty body counts as an empty object.
    func body(of call: Call, upTo limit: Int = bodyLimit, isOptional: Bool = false) async throws -> JSONObject {
        let bytes = try await call.collectBody(upTo: limit)
        if isOptional, bytes.isEmpty { return [:] }
        do {
            guard let object = try JSONValue(parsing: bytes).objectValue else {
                throw ControlError(.badRequest, "malformed_body", "The body must be a JSON object.")
            }
            return object
        } catch let error as JSONSyntaxError {
            throw ControlError(.badRequest, "malformed_body", "The body must be a JSON object: \(error).")
        }
    }
}

extension JSONObject {
    /// Rejects unknown members.
    func expect(only known: [String]) throws(ControlError) {
        if let unknown = names.first(where: { !known.contains($0) }) {
            throw ControlError(
                .badRequest, "unknown_member", "Unknown member '\(unknown)'; expected \(known.joined(separator: ", ")).")
        }
    }

    /// Returns the string at `name`, if it is present.
    func text(_ name: String) throws(ControlError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.stringValue else {
            throw ControlError(.badRequest, "malformed_member", "'\(name)' must be a string.")
        }
        return text
    }
}
