import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// The endpoint of GitHub Actions at which a job requests ID tokens. (GitHub Docs, "OpenID Connect reference", `ACTIONS_ID_TOKEN_REQUEST_URL`;
/// the errors are Virga's.)
struct JobDoor: CredentialDoor {
    let kind = CredentialSources.Kind.job
    private let provider: String
    private let job: String

    /// - Returns: `nil` for other paths than `/_actions/PROVIDER/JOB/token`.
    init?(_ path: String) {
        guard path.hasPrefix(CredentialSources.pathOfJobs + "/") else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { percentDecoded(String($0)) ?? "" }
        guard parts.count == 5, parts[4] == "token" else { return nil }
        (provider, job) = (parts[2], parts[3])
    }

    func operation(of call: CredentialCall) -> String { "GetIDToken" }

    func respond(to call: CredentialCall) async throws -> Response {
        try call.refusePages()
        guard call.http.method == .get || call.http.method == .head else {
            throw DoorFailure("MethodNotAllowed", .methodNotAllowed, "Use GET.")
        }
        guard let provider = call.directory.providers[self.provider], let issuer = provider.issuer,
            let job = provider.jobs?.first(where: { $0.name == self.job })
        else { throw DoorFailure("NotFound", .notFound, "The seed has no such job.") }
        guard let token = bearer(call), constantTimeEquals(token, job.requestToken) else {
            throw DoorFailure("Unauthorized", .unauthorized, "The request token is missing or wrong.")
        }
        guard let query = call.http.queryFields else { throw DoorFailure("BadRequest", .badRequest, "The query is malformed.") }
        let claims = WorkflowClaims(of: job)
        try await call.applyFaults(at: self, caller: claims.subject, resources: [issuer])
        let audience = query.first("audience").flatMap { $0.isEmpty ? nil : $0 }
        let key = try await call.cloud.signingKey(for: provider.name, algorithm: provider.signingAlgorithm ?? .rs256)
        let value = try JSONWebToken.sign(
            claims: claims.claims(issuer: issuer, audience: audience, identifier: RequestID().uuid, issued: call.cloud.clock.now), key: key)
        return .json(["value": .string(value)], headers: .unstored)
    }

    /// The token of the `Authorization` header.
    private func bearer(_ call: CredentialCall) -> String? {
        guard let field = call.http.headers.value(of: .authorization) else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }

    func response(to failure: DoorFailure, of call: CredentialCall) -> Response {
        .json(["message": .string(failure.message)], status: failure.status, headers: .unstored)
    }
}
