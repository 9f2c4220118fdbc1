import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The endpoints at which jobs request ID tokens: that of GitHub Actions, and that of Buildkite's agents. (GitHub Docs, "OpenID Connect
/// reference", `ACTIONS_ID_TOKEN_REQUEST_URL`; Buildkite Docs, "buildkite-agent oidc". The errors are Virga's.)
struct JobDoor: CredentialDoor {
    let kind = CredentialSources.Kind.job
    private let provider: String
    /// The name of the job; `nil` for the one with the request token.
    private let job: String?
    /// The ID of a job of Buildkite in the path; `nil` for the protocol of GitHub.
    private let agentJob: String?

    /// - Returns: `nil` for other paths than `/_actions/PROVIDER/JOB/token`, `/_actions/PROVIDER/JOB/v3/jobs/ID/oidc/tokens` and
    ///   `/idp/PROVIDER/actions-token`.
    init?(_ path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { percentDecoded(String($0)) ?? "" }
        guard parts.count >= 4, parts[0].isEmpty else { return nil }
        if path.hasPrefix(IssuerPaths.own), path.hasSuffix(CredentialSources.tokenPathOfIssuers), parts.count == 4 {
            (provider, job, agentJob) = (parts[2], nil, nil)
            return
        }
        guard path.hasPrefix(CredentialSources.pathOfJobs + "/") else { return nil }
        if parts.count == 5, parts[4] == "token" {
            agentJob = nil
        } else if parts.count == 9, parts[4] == "v3", parts[5] == "jobs", parts[7] == "oidc", parts[8] == "tokens" {
            agentJob = parts[6]
        } else {
            return nil
        }
        (provider, job) = (parts[2], parts[3])
    }

    func operation(of call: CredentialCall) -> String { "GetIDToken" }

    func respond(to call: CredentialCall) async throws -> Response {
        try call.refusePages()
        if agentJob != nil {
            guard call.http.method == .post else { throw DoorFailure("MethodNotAllowed", .methodNotAllowed, "Use POST.") }
        } else {
            guard call.http.method == .get || call.http.method == .head else {
                throw DoorFailure("MethodNotAllowed", .methodNotAllowed, "Use GET.")
            }
        }
        let delivery = agentJob == nil ? JobServiceDescriptor.Delivery.url : .agent
        guard let provider = call.directory.providers[self.provider], let issuer = provider.issuer else { throw Self.unknown }
        let jobs = (provider.jobs ?? []).filter { candidate in
            candidate.service.descriptor.delivery == delivery && self.job.map { candidate.name == $0 } ?? true
        }
        guard !jobs.isEmpty else { throw Self.unknown }
        // The token names the job.
        guard let bearer = bearer(call), let job = jobs.first(where: { Self.isToken(bearer, of: $0) }) else {
            throw DoorFailure("Unauthorized", .unauthorized, "The request token is missing or wrong.")
        }
        let claims = WorkflowClaims(of: job, issuer: issuer)
        if let agentJob, claims["job_id"]?.equals(agentJob) != true { throw Self.unknown }
        let request = try await agentJob == nil ? query(call) : order(call)
        try await call.applyFaults(at: self, caller: claims.subject, resources: [issuer])
        let token = JSONValue.string(try await WorkflowToken.make(for: job, of: provider, request, in: call.cloud))
        return .json(agentJob == nil ? ["value": token] : ["token": token], headers: .unstored)
    }

    private static let unknown = DoorFailure("NotFound", .notFound, "The seed has no such job.")

    private static func isToken(_ token: String, of job: WorkflowJob) -> Bool {
        !job.requestToken.isEmpty && constantTimeEquals(token, job.requestToken)
    }

    /// The audience in the query of a request.
    private func query(_ call: CredentialCall) throws(DoorFailure) -> WorkflowClaims.Request {
        guard let query = call.http.queryFields else { throw DoorFailure("BadRequest", .badRequest, "The query is malformed.") }
        var request = WorkflowClaims.Request()
        request.audience = query.first("audience").flatMap { $0.isEmpty ? nil : $0 }
        return request
    }

    /// What the body of an agent's request says.
    private func order(_ call: CredentialCall) async throws -> WorkflowClaims.Request {
        let body = try await call.http.collectBody(upTo: 1 << 16)
        guard let json = body.isEmpty ? JSONObject() : (try? JSONValue(parsing: body))?.objectValue else {
            throw Self.invalid("The body must be a JSON object.")
        }
        var request = WorkflowClaims.Request()
        for (name, value) in json.members where value != .null {
            switch (name, value) {
            case ("audience", .string(let audience)): request.audience = audience.isEmpty ? nil : audience
            case ("lifetime", .integer(let seconds)):
                guard (0...86_400).contains(seconds) else { throw Self.invalid("lifetime must be a number of seconds from 0 to 86400.") }
                request.lifetime = seconds == 0 ? nil : seconds
            case ("claims", .array(let values)):
                request.claims = values.compactMap(\.stringValue)
                let known = WorkflowClaims.optionalClaims
                guard request.claims.count == values.count, request.claims.allSatisfy({ known.contains($0) }) else {
                    throw Self.invalid("claims may be \(known.joined(separator: ", ")).")
                }
            case ("aws_session_tags", _): throw Self.invalid("Virga does not serve aws_session_tags.")
            default: throw Self.invalid("The member \(name) is not known, or has another type.")
            }
        }
        return request
    }

    private static func invalid(_ message: String) -> DoorFailure { DoorFailure("UnprocessableEntity", .unprocessableContent, message) }

    /// The token of the `Authorization` header. Buildkite's scheme is `Token`.
    private func bearer(_ call: CredentialCall) -> String? {
        guard let field = call.http.headers.value(of: .authorization) else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == (agentJob == nil ? "bearer" : "token") ? String(parts[1]) : nil
    }

    func response(to failure: DoorFailure, of call: CredentialCall) -> Response {
        .json(["message": .string(failure.message)], status: failure.status, headers: .unstored)
    }
}
