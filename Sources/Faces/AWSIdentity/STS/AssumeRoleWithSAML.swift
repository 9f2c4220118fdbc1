import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import Tokens
import WireFormats

/// The inputs of `AssumeRoleWithSAML`.
/// (STS API Reference, "AssumeRoleWithSAML", constraints as in the service model.)
struct AssumeRoleWithSAMLInput: Equatable {
    var roleARN: String
    /// The ARN of the SAML provider.
    var principalARN: String
    var assertion: String
    var session: RoleSessionInput

    init(_ fields: FormFields) throws(ServiceError) {
        var parameters = QueryParameters(fields)
        roleARN = parameters.roleARN()
        principalARN = parameters.requiredText("PrincipalArn", length: 20...2048, pattern: .arn)
        assertion = Self.assertion(&parameters)
        session = try RoleSessionInput(&parameters)
        try parameters.check()
    }

    static func assertion(_ parameters: inout QueryParameters) -> String {
        parameters.requiredText("SAMLAssertion", length: 4...100_000)
    }
}

extension STSFace {
    /// Verifies the assertion, evaluates the role's trust policy, and issues credentials for a session of the role.
    func assumeRoleWithSAML(_ input: AssumeRoleWithSAMLInput, _ call: Call) async throws -> AssumeRoleWithSAMLResult {
        let cloud = call.cloud
        guard let account = RoleName(arn: input.roleARN, dialect)?.account, input.principalARN.isSAMLProvider else {
            throw ServiceError.invalidRequestARN
        }
        guard let trust = cloud.directory.samlTrust(arn: input.principalARN, at: .aws) else {
            throw ServiceError.discovery("Specified provider doesn't exist", "AuthSamlManifestNotFoundException", call)
        }
        // A seed may contain metadata that IAM would have rejected.
        guard let metadata = samlMetadata.metadata(try await trust.currentMetadata(in: cloud), of: trust.arn) else {
            throw ServiceError.unreadableMetadata(call)
        }
        let identity: SAMLIdentity
        do {
            identity = try await SAMLIdentityVerifier(clock: cloud.clock, metadata: metadata, trust: trust).verify(
                input.assertion, for: input.roleARN, in: cloud)
        } catch let error as SAMLIdentityError {
            throw ServiceError(error, call)
        }
        call.note(caller: "\(identity.federatedPrincipal):\(identity.subject)")
        // The error of the real service is the same for a missing role and for one that does not trust the provider.
        guard let entry = cloud.directory.role(arn: input.roleARN, at: .aws),
            call.authorize(assumption: identity, of: entry, sessionName: identity.sessionName).isAllowed
        else { throw ServiceError.notAuthorizedWithSAML }
        let role = entry.role
        guard (input.session.duration ?? 0) <= role.maximumSessionDuration else {
            throw ServiceError.longerThanRole
        }
        let policies = try input.session.policies(
            tagBytes: identity.requests.tagBytes, account: account, directory: cloud.directory, known: tokens.policies)
        let (credentials, token) = try tokens.session(
            of: entry, named: identity.sessionName, for: identity,
            duration: identity.duration(asked: input.session.duration, at: cloud.clock.now), leastSize: input.session.leastSize,
            policies: policies)
        return AssumeRoleWithSAMLResult(
            identity: identity, role: role, credentials: credentials, sessionToken: token,
            packedPolicySize: policies.sizeWithWebIdentity)
    }

    /// Returns the subject of the call's assertion, as named in the journal; `nil` if the assertion is not valid.
    static func samlIdentity(of call: ServiceCall, _ known: SAMLMetadataCache) async -> String? {
        let cloud = call.http.cloud
        guard let assertion = call.fields.first("SAMLAssertion"), let roleARN = call.fields.first("RoleArn"),
            let trust = call.fields.first("PrincipalArn").flatMap({ cloud.directory.samlTrust(arn: $0, at: .aws) }),
            let text = try? await trust.currentMetadata(in: cloud), let metadata = known.metadata(text, of: trust.arn),
            let identity = try? await SAMLIdentityVerifier(clock: cloud.clock, metadata: metadata, trust: trust).verify(
                assertion, for: roleARN, in: cloud)
        else { return nil }
        return "\(identity.federatedPrincipal):\(identity.subject)"
    }
}

extension SAMLIdentity {
    /// Returns the duration of the session in seconds: the requested one, or an hour, unless the provider sets a shorter one.
    /// (STS API Reference, "AssumeRoleWithSAML", `DurationSeconds`.)
    fileprivate func duration(asked: Int?, at now: Timestamp) -> Int {
        var seconds = asked ?? 3600
        if let sessionDuration { seconds = min(seconds, sessionDuration) }
        if let sessionEnd { seconds = min(seconds, max(1, Int(sessionEnd.seconds - now.seconds))) }
        return seconds
    }
}

/// The result of `AssumeRoleWithSAML`.
struct AssumeRoleWithSAMLResult {
    var identity: SAMLIdentity
    var role: Role
    var credentials: SessionCredentials
    var sessionToken: String
    /// The share of the session's maximum size in percent.
    var packedPolicySize: Int

    func encode(into xml: inout XMLWriter) {
        xml.element("Issuer", identity.issuer)
        xml.assumedRoleUser(role, credentials)
        xml.credentials(credentials, token: sessionToken)
        xml.element("Audience", identity.audience)
        xml.element("SubjectType", identity.subjectType)
        xml.element("PackedPolicySize", packedPolicySize)
        xml.element("NameQualifier", identity.nameQualifier)
        if let source = identity.requests.sourceIdentity { xml.element("SourceIdentity", source) }
        xml.element("Subject", identity.subject)
    }
}

extension String {
    /// Whether the text has the form `arn:aws:iam::<12 digits>:saml-provider/<name>`. (IAM User Guide, "IAM ARNs".)
    fileprivate var isSAMLProvider: Bool {
        let fields = split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        return fields.count == 6 && fields[0] == "arn" && fields[1].hasPrefix("aws") && fields[2] == "iam" && fields[3].isEmpty
            && fields[4].utf8.count == 12 && fields[4].utf8.allSatisfy { (0x30...0x39).contains($0) }
            && fields[5].hasPrefix("saml-provider/") && fields[5].utf8.count > "saml-provider/".utf8.count
    }
}
