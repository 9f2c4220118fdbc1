import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension RPCService {
    /// AssumeRoleWithSAML. Verifies the assertion, evaluates the role's trust policy, and issues credentials for a session of the role.
    /// The call is not signed. (STS API Reference, "AssumeRoleWithSAML".)
    @Sendable static func assumeRoleWithSAML(_ call: RPCCall) async throws -> RPCValue {
        var parameters = try SessionParameters(call, namesSession: false)
        let identity = try await call.samlIdentity()
        call.http.note(caller: identity.name)
        parameters.sessionName = identity.sessionName
        if let longest = identity.sessionDuration {
            parameters.duration = min(parameters.duration ?? 3600, longest)
        }
        let session = try call.session(for: identity, parameters)
        return .object(session.members + [.init(name: "SAMLAssertionInfo", value: identity.info)])
    }
}

extension RPCCall {
    /// Verifies the assertion of the call and returns its subject.
    /// - Throws: `RPCError`, or an error of the provider's signing key.
    func samlIdentity() async throws -> SAMLRoleIdentity {
        let arn = try required("SAMLProviderArn")
        let text = try required("SAMLAssertion")
        let role = try required("RoleArn")
        guard 4...100_000 ~= text.utf8.count else { throw RPCError.wronglyFormed("SAMLAssertion") }
        guard let trust = directory.samlTrust(arn: arn, at: .alibaba) else {
            throw RPCError("EntityNotExist.SAMLProvider", .notFound, "The specified SAML provider not exists.")
        }
        guard let metadata = face.samlMetadata.metadata(try await trust.currentMetadata(in: cloud), of: arn) else {
            throw RPCError("AuthenticationFail.IDPMetadata.Invalid", .unauthorized, "The metadata of the identity provider is invalid.")
        }
        let assertion = try SAMLResponseVerifier(issuer: metadata.entityID, keys: metadata.signingKeys).read(text)
        guard try await !cloud.isOfAnotherSandbox(assertion: assertion.id, signedByOneOf: metadata.signingKeys) else {
            throw RPCError.invalidAssertion("Its signature is invalid.")
        }
        return try SAMLRoleIdentity(assertion, of: arn, for: role, clock: cloud.clock)
    }
}

extension SAMLResponseVerifier {
    /// Verifies a response in base 64 and returns its assertion.
    fileprivate func read(_ text: String) throws(RPCError) -> SAMLAssertion {
        // Browser forms may have broken it into lines.
        guard let document = [UInt8](base64: text.filter { !$0.isWhitespace }) else { throw .invalidAssertion("It is not base 64.") }
        do {
            return try verify(document)
        } catch {
            let why =
                switch error {
                case .notXML: "It is not XML."
                case .malformed(let text): text
                case .unsuccessful(let status): "The identity provider answered with the status \(status)."
                case .foreignIssuer: "Its issuer is not the identity provider."
                case .notEncrypted, .undecryptable: "It cannot be decrypted."
                case .notSigned: "Its signature is invalid."
                }
            throw .invalidAssertion(why)
        }
    }
}

/// The subject of a SAML assertion, by the rules of Alibaba Cloud.
/// (RAM User Guide, "SAML assertions for role-based SSO".)
struct SAMLRoleIdentity: FederatedIdentity {
    // (RAM User Guide, "Trust policy of a RAM role for a SAML IdP".)
    static let action = "sts:AssumeRole"

    /// The ARN of the provider.
    let federatedPrincipal: String
    let subject: String
    /// The format of the name identifier, without the prefix of SAML 2.0.
    let subjectType: String
    let recipient: String
    let issuer: String
    let sessionName: String
    /// The maximum duration of the session in seconds that the provider sets, if any.
    let sessionDuration: Int?
    let trustKeys: [SessionCredentials.Claim]
    let sessionKeys: [SessionCredentials.Claim] = []
    let requests = SessionRequests()

    /// The addresses to which assertions are sent, on either of the two sites; also the recipient in trust policies.
    static let recipients: Set = ["https://signin.aliyun.com/saml-role/sso", "https://signin.alibabacloud.com/saml-role/sso"]
    /// The accepted audiences: the names of the service provider, and the recipients.
    private static let audiences = recipients.union(["urn:alibaba:cloudcomputing", "urn:alibaba:cloudcomputing:international"])
    private static let attributePrefix = "https://www.aliyun.com/SAML-Role/Attributes/"
    private static let formatPrefix = "urn:oasis:names:tc:SAML:2.0:nameid-format:"
    private static let bearer = "urn:oasis:names:tc:SAML:2.0:cm:bearer"

    /// - Throws: `RPCError`
    init(_ assertion: SAMLAssertion, of provider: String, for roleARN: String, clock: SandboxClock) throws(RPCError) {
        guard let name = assertion.nameID, !name.value.isEmpty else { throw .invalidAssertion("It has no subject.") }
        let confirmations = assertion.confirmations.filter { $0.method == Self.bearer }
        guard
            let confirmation = confirmations.first(where: { $0.recipient.map(Self.recipients.contains) ?? false }),
            let recipient = confirmation.recipient
        else { throw .invalidAssertion("Its recipient is not \(Self.recipients.min() ?? "").") }
        guard let end = confirmation.notOnOrAfter else { throw .invalidAssertion("Its confirmation lacks NotOnOrAfter.") }
        for restriction in assertion.conditions?.audiences ?? [] {
            guard restriction.contains(where: Self.audiences.contains) else { throw .invalidAssertion("Its audience is not accepted.") }
        }
        for end in [end, assertion.conditions?.notOnOrAfter] + assertion.authentications.map(\.sessionEnd) {
            if let end, clock.hasExpired(end, issuedAt: assertion.issued) { throw .expiredAssertion }
        }
        for start in [confirmation.notBefore, assertion.conditions?.notBefore] {
            // A clock difference of one minute is allowed.
            if let start, start.milliseconds - clock.aging(since: assertion.issued) * 1000 > clock.now.milliseconds + 60_000 {
                throw .invalidAssertion("It is not valid yet.")
            }
        }
        let pairs = assertion.values(of: Self.attributePrefix + "Role").map { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed }
        }
        // `==` of lists would compare by canonical equivalence.
        let isNamed = pairs.contains { pair in
            pair.count == 2 && (pair[0] == roleARN && pair[1] == provider || pair[0] == provider && pair[1] == roleARN)
        }
        guard isNamed else {
            throw .invalidAssertion("It does not name the role together with the identity provider.")
        }
        let names = assertion.values(of: Self.attributePrefix + "RoleSessionName")
        guard names.count == 1, let sessionName = names.first, SessionParameters.isName(sessionName) else {
            throw .invalidAssertion("It must have one RoleSessionName of 2 to 64 letters, digits and .@_-")
        }
        if let text = assertion.values(of: Self.attributePrefix + "SessionDuration").first {
            guard let seconds = Int(digits: text.trimmed), seconds >= SessionParameters.leastDuration else {
                throw .invalidAssertion("Its SessionDuration must be an integer number of seconds, at least 900.")
            }
            sessionDuration = seconds
        } else {
            sessionDuration = nil
        }
        let format = name.format ?? ""
        federatedPrincipal = provider
        subject = name.value
        subjectType = format.hasPrefix(Self.formatPrefix) ? String(format.dropFirst(Self.formatPrefix.count)) : format
        self.recipient = recipient
        issuer = assertion.issuer
        self.sessionName = sessionName
        trustKeys = [
            .init(key: "saml:recipient", values: [recipient]), .init(key: "saml:iss", values: [issuer]),
            .init(key: "saml:sub", values: [subject]), .init(key: "saml:sub_type", values: [subjectType]),
        ]
    }

    /// The caller's name in the journal.
    var name: String { "\(federatedPrincipal):\(subject)" }

    /// `SAMLAssertionInfo`
    var info: RPCValue {
        [
            "SubjectType": .text(subjectType), "Subject": .text(subject), "Recipient": .text(recipient), "Issuer": .text(issuer),
        ]
    }
}

extension RPCError {
    /// - Parameter why: the reason, in Virga's wording.
    fileprivate static func invalidAssertion(_ why: String) -> RPCError {
        RPCError("AuthenticationFail.SAMLAssertion.Invalid", .unauthorized, "The SAML Assertion is invalid. \(why)")
    }

    fileprivate static let expiredAssertion = RPCError(
        "AuthenticationFail.SAMLAssertion.Expired", .unauthorized, "The SAML Assertion is expired.")
}
