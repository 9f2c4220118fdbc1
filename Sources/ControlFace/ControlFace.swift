package import Calls
import Cloud
package import Federation
import HTTPTypes
import ObjectStore
import Seeds
import WireFormats

/// The control API under `/_virga/`, with which tests control the sandbox in ways that no real service offers. It accepts and returns JSON.
package struct ControlFace: Sendable {
    private static let bodyLimit = 1 << 20

    private let access: ControlAccess
    /// The version of the program.
    let version: String
    private let authority: String?
    /// Returns whether the start is complete.
    let isReady: @Sendable () -> Bool
    /// Keeps the sandboxes of the process; `nil` in a process with one sandbox only.
    let sandboxKeeper: (any SandboxKeeper)?
    /// Performs what becomes due at the new time, before the response to a clock change is sent.
    let settleTime: @Sendable () async -> Void
    /// The actions that `decideS3` accepts.
    let actionsOfS3: [String]
    /// Returns the caller of the newest live session, with the content of its token.
    let liveCaller: @Sendable (_ name: String) -> Caller?
    /// Evaluates an action of S3.
    let decideS3: StoreQuestion
    /// Evaluates an action of OSS.
    let decideOSS: StoreQuestion

    /// Evaluates an action on a resource of S3 or OSS; `nil` for an unknown action.
    package typealias StoreQuestion = @Sendable (Call, _ action: String, _ resource: String, AccessAssumption) -> Authorizer.Verdict?

    /// - Parameters:
    ///   - access: the access rules.
    ///   - version: the version of the program.
    ///   - isReady: returns whether the start is complete.
    ///   - authority: the CA certificate that clients should trust, in PEM; `nil` without TLS.
    ///   - settleTime: performs what becomes due after a clock change.
    ///   - actionsOfS3: the actions that `decideS3` accepts.
    ///   - liveCaller: returns the caller of the newest live session with an ARN or temporary access key.
    ///   - decideS3: evaluates an action of S3.
    ///   - decideOSS: evaluates an action of OSS.
    ///   - sandboxKeeper: keeps the sandboxes of the process.
    package init(
        access: ControlAccess, version: String = "", authority: String? = nil, isReady: @escaping @Sendable () -> Bool = { true },
        settleTime: @escaping @Sendable () async -> Void = {},
        actionsOfS3: [String] = [], liveCaller: @escaping @Sendable (_ name: String) -> Caller? = { _ in nil },
        decideS3: @escaping StoreQuestion = { _, _, _, _ in nil }, decideOSS: @escaping StoreQuestion = { _, _, _, _ in nil },
        sandboxKeeper: (any SandboxKeeper)? = nil
    ) {
        self.sandboxKeeper = sandboxKeeper
        self.access = access
        self.version = version
        self.authority = authority
        self.isReady = isReady
        self.settleTime = settleTime
        self.actionsOfS3 = actionsOfS3
        self.liveCaller = liveCaller
        self.decideS3 = decideS3
        self.decideOSS = decideOSS
    }

    /// Responds to one call.
    /// - Parameter path: the path after `/_virga`.
    package func respond(to call: Call, path: String) async -> Response {
        call.note(face: "control")
        var response = await answer(call, path: path)
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

    private func answer(_ call: Call, path: String) async -> Response {
        do {
            return try await perform(call, path)
        } catch let error as ControlError {
            return refuse(error, call)
        } catch let refusal as SandboxRefusal {
            return refuse(ControlError(refusal), call)
        } catch let faults as SeedFaults {
            return refuse(ControlError(faults), call)
        } catch let error as BodyTooLarge {
            return refuse(ControlError(.contentTooLarge, "body_too_large", "The body may have at most \(error.limit) bytes."), call)
        } catch is ContentCutOff {
            return refuse(ControlError(.badRequest, "malformed_body", "The body ends early."), call)
        } catch let error where FullStorage.isCause(of: error) {
            return refuse(ControlError(.insufficientStorage, "storage_full", FullStorage.message), call)
        } catch {
            call.note(failure: error)
            return refuse(ControlError(.internalServerError, "internal_error", "Virga failed; its log says why."), call)
        }
    }

    private func refuse(_ error: ControlError, _ call: Call) -> Response {
        call.note(errorCode: error.code, message: error.message)
        return error.response
    }

    private func perform(_ call: Call, _ path: String) async throws -> Response {
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
                try access.check(call, isOfProcess: operation.isOfProcess)
            } catch {
                throw ControlError(error)
            }
        }
        switch operation {
        case .list: return .json(["version": .string(version), "calls": .array(ControlCall.described)])
        case .openAPI: return .json(OpenAPI.document(version: version))
        case .health: return .json(["status": "ok"])
        case .ready:
            guard isReady() else { throw ControlError(.serviceUnavailable, "not_ready", "The command of --on-ready is still running.") }
            return .json(["status": "ready"])
        case .authority: return try authorityCertificate()
        case .seed: return try await answerSeed(call)
        case .reset:
            try await call.cloud.reset()
            return .json(["status": "ok"])
        case .compact:
            return .json(["status": "ok", "freed": .integer(try await call.cloud.database.compact())])
        case .clock where call.method == .post: return try await changeClock(call, try await body(of: call))
        case .clock: return .json(call.cloud.clock.json)
        case .tokens:
            let body = try await body(of: call)
            return try await body["serviceProvider"] == nil ? issueToken(call, body) : issueAssertion(call, body)
        case .serviceProviders: return try await answerServiceProviders(call, path: path)
        case .apps: return try await answerApps(call, path: path)
        case .keys: return try await listKeys(call)
        case .rotateKeys: return try await rotateKeys(call, try await body(of: call))
        case .journal: return try listJournal(call)
        case .verifyJournal: return try verifyJournal(call, try await body(of: call))
        case .usage: return try await answerUsage(call)
        case .leastPolicy: return try leastPolicy(call)
        case .cloudTrail: return try importCloudTrail(call, try await body(of: call))
        case .coverage: return try policyCoverage(call)
        case .faults: return try await answerFaults(call, id: String(path.dropFirst("/faults/".count)))
        case .explain: return try explain(call, try await body(of: call))
        case .sandboxes: return try await answerSandboxes(call, path: path)
        case .snapshots: return try await answerSnapshots(call, path: path)
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
    func body(of call: Call) async throws -> JSONObject {
        let bytes = try await call.collectBody(upTo: Self.bodyLimit)
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
