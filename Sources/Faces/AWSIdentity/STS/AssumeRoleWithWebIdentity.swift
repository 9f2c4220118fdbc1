import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The inputs of `AssumeRoleWithWebIdentity`.
/// (STS API Reference, "AssumeRoleWithWebIdentity", constraints as in the service model.)
struct AssumeRoleWithWebIdentityInput: Equatable {
    var roleARN: String
    var roleSessionName: String
    var webIdentityToken: String
    var providerID: String?
    var session: RoleSessionInput

    init(_ fields: FormFields) throws(ServiceError) {
        var parameters = QueryParameters(fields)
        roleARN = parameters.roleARN()
        roleSessionName = parameters.requiredText("RoleSessionName", length: 2...64, pattern: .name)
        webIdentityToken = Self.webIdentityToken(&parameters)
        providerID = parameters.text("ProviderId", length: 4...2048)
        session = try RoleSessionInput(&parameters)
        try parameters.check()
    }

    static func webIdentityToken(_ parameters: inout QueryParameters) -> String {
        parameters.requiredText("WebIdentityToken", length: 4...20000)
    }
}

extension STSFace {
    /// Verifies the token, evaluates the role's trust policy, and issues credentials for a session of the role.
    func assumeRoleWithWebIdentity(
        _ input: AssumeRoleWithWebIdentityInput, _ call: Call
    ) async throws -> AssumeRoleWithWebIdentityResult {
        let cloud = call.cloud
        guard let account = RoleName(arn: input.roleARN, dialect)?.account else {
            throw ServiceError.invalidRequestARN
        }
        let identity: WebIdentity
        do {
            if cloud.faults.isArmed { try await applyProviderFaults(of: input, call) }
            let verified = try await webIdentityVerifier(cloud, call.names).verify(
                token: input.webIdentityToken, providerID: input.providerID, account: account)
            identity = verified.adapted(to: dialect)
        } catch let error as WebIdentityError {
            if let cause = error.defect(of: input.webIdentityToken) { call.note(cause: cause) }
            throw ServiceError(error)
        }
        return try session(for: identity, input, call, account: account)
    }

    /// Evaluates the role's trust policy for a verified identity, and issues the credentials. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func session(
        for identity: WebIdentity, _ input: AssumeRoleWithWebIdentityInput, _ call: Call, account: String
    ) throws -> AssumeRoleWithWebIdentityResult {
        call.note(caller: String(joining: identity.federatedPrincipal, ":", identity.subject))
        let directory = call.cloud.directory
        do { try identity.checkRoles(for: input.roleARN) } catch { throw ServiceError(error) }
        let notAuthorized = ServiceError(
            "AccessDenied", .forbidden, "Not authorized to perform sts:AssumeRoleWithWebIdentity")
        // The error of the real service is the same for a missing role and for one that does not trust the provider.
        guard let entry = directory.role(arn: input.roleARN, at: .aws),
            call.authorize(assumption: identity, of: entry, sessionName: input.roleSessionName).isAllowed
        else { throw notAuthorized }
        let role = entry.role
        let duration = input.session.duration ?? 3600
        guard duration <= role.maximumSessionDuration else {
            throw ServiceError.longerThanRole
        }
        let policies = try input.session.policies(
            tagBytes: identity.requests.tagBytes, account: account, directory: directory, known: tokens.policies)
        let (credentials, token) = try tokens.session(
            of: entry, named: input.roleSessionName, for: identity, duration: duration, leastSize: input.session.leastSize,
            policies: policies)
        return AssumeRoleWithWebIdentityResult(
            identity: identity, role: role, credentials: credentials, sessionToken: token,
            packedPolicySize: policies.sizeWithWebIdentity)
    }
}

/// The result of `AssumeRoleWithWebIdentity`.
struct AssumeRoleWithWebIdentityResult {
    var identity: WebIdentity
    var role: Role
    var credentials: SessionCredentials
    var sessionToken: String
    /// The share of the session's maximum size in percent.
    var packedPolicySize: Int

    func encode(into xml: inout XMLWriter) {
        xml.element("SubjectFromWebIdentityToken", identity.subject)
        xml.element("Audience", identity.audience)
        xml.assumedRoleUser(role, credentials)
        xml.credentials(credentials, token: sessionToken)
        xml.element("Provider", identity.providerName)
        xml.element("PackedPolicySize", packedPolicySize)
        if let source = identity.requests.sourceIdentity { xml.element("SourceIdentity", source) }
    }
}
