import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Policy
import RequestSigning
import WireFormats

/// IAM Roles Anywhere, which issues sessions of roles for certificates. Of its API only CreateSession is served.
/// (IAM Roles Anywhere User Guide, "IAM Roles Anywhere CreateSession API"; messages without a source are Virga's.)
struct RolesAnywhereDoor: CredentialDoor {
    let kind = CredentialSources.Kind.certificate

    /// The principal of trust policies.
    private static let principal = "rolesanywhere.amazonaws.com"
    private static let path = "/sessions"

    /// Returns whether a request is for the service, by its host, its signature or its path.
    static func isFor(_ call: Call) -> Bool {
        if call.path == path || call.host.hasPrefix("\(SignatureX509.service).") { return true }
        return call.headers.value(of: .authorization)?.contains("/\(SignatureX509.service)/aws4_request") ?? false
    }

    private func isCreateSession(_ call: CredentialCall) -> Bool { call.http.path == Self.path && call.http.method == .post }

    func operation(of call: CredentialCall) -> String { isCreateSession(call) ? "CreateSession" : "UnknownOperation" }

    func respond(to call: CredentialCall) async throws -> Response {
        try call.refusePages()
        guard isCreateSession(call) else {
            throw DoorFailure(
                "UnknownOperationException", .notFound, "Virga does not serve this call of \(SignatureX509.service), only CreateSession.")
        }
        let body = try await Self.body(of: call.http)
        let order = try SessionOrder(call.http, body)
        let proof = try CertificateProof(call.http)
        try proof.checkCertificate(at: call.cloud.clock.now)
        let sources = call.directory.credentialSources
        guard let anchor = sources.trustAnchors.first(where: { $0.arn == order.trustAnchorARN }), anchor.region == proof.region else {
            throw Self.unknown("trust anchor", order.trustAnchorARN)
        }
        guard anchor.enabled else { throw Self.denied("The trust anchor is disabled.") }
        try await proof.checkTrust(in: anchor, call.cloud)
        try proof.checkSignature(of: call.http, body: body)
        call.http.note(caller: proof.certificate.certificate.subject)
        guard let profile = sources.anywhereProfiles.first(where: { $0.arn == order.profileARN }), profile.region == proof.region,
            profile.account == anchor.account
        else { throw Self.unknown("profile", order.profileARN) }
        guard profile.enabled else { throw Self.denied("The profile is disabled.") }
        let role = try Self.role(order, profile, call)
        let (assumption, packedSize) = try Self.assumption(of: role, order, profile, proof.certificate, call)
        let duration = min(profile.duration, order.duration ?? profile.duration)
        guard duration <= role.role.maximumSessionDuration else {
            throw SessionOrder.invalid("The requested DurationSeconds exceeds the MaxSessionDuration set for this role.")
        }
        try await call.applyFaults(at: self, resources: [role.arn, anchor.arn, profile.arn])
        let service = ServiceCaller(
            principal: Self.principal, sourceARN: anchor.arn, sourceAccount: anchor.account, region: anchor.region)
        guard call.http.authorize(assumption, by: service).isAllowed else {
            throw Self.denied("Unable to assume role for \(role.arn)")
        }
        let issued = try call.sessions.session(by: assumption, duration: duration)
        return Self.response(issued, assumption, packedSize, of: anchor, proof.certificate)
    }

    private static func body(of call: Call) async throws -> [UInt8] {
        do { return try await call.collectBody(upTo: 65_536) } catch is BodyTooLarge {
            throw SessionOrder.invalid("The request is too large.")
        }
    }

    /// Finds the role of a request among those of the profile.
    private static func role(_ order: SessionOrder, _ profile: AnywhereProfile, _ call: CredentialCall) throws(DoorFailure) -> RoleEntry {
        let roles = profile.roles.compactMap { call.directory.role($0, in: profile.account) }
        guard let role = roles.first(where: { $0.arn == order.roleARN }) else {
            throw denied(
                "Not authorized to assume the role.", cause: "The profile \(profile.name) does not have the role \(order.roleARN).")
        }
        guard order.sessionName == nil || profile.acceptRoleSessionName else {
            throw denied("Not authorized to set roleSessionName.")
        }
        return role
    }

    private static func assumption(
        of role: RoleEntry, _ order: SessionOrder, _ profile: AnywhereProfile, _ certificate: ClientCertificate, _ call: CredentialCall
    ) throws -> (assumption: RoleAssumption, packedSize: Int) {
        let tags = CertificateTags(of: certificate, by: profile)
        var assumption = RoleAssumption(of: role, named: order.sessionName ?? certificate.serial.hex)
        assumption.tags = tags.tags
        assumption.hasPrincipalTags = true
        assumption.sourceIdentity = tags.sourceIdentity
        let document = try profile.sessionPolicy.map { try call.sessions.policies.entry(for: $0) }
        var size = tags.tags.reduce(0) { $0 + PackedSize.of(tag: $1.key, values: [$1.value]) }
        if document != nil || !profile.attachedPolicies.isEmpty {
            size += PackedSize.ofPolicies + profile.attachedPolicies.count * PackedSize.ofARN + (document?.packedSize ?? 0)
        }
        let percent = PackedSize.percent(size)
        guard percent <= 100 else {
            throw SessionOrder.invalid("Packed policy consumes \(percent)% of allotted space, please use smaller policy.")
        }
        if document != nil || !profile.attachedPolicies.isEmpty {
            assumption.policies = SessionPolicies(
                documents: document.map { [$0.compact] } ?? [], arns: profile.attachedPolicies, size: percent)
        }
        return (assumption, percent)
    }

    static func denied(_ message: String, cause: String? = nil) -> DoorFailure {
        DoorFailure("AccessDeniedException", .forbidden, message, cause: cause)
    }

    private static func unknown(_ kind: String, _ arn: String) -> DoorFailure {
        DoorFailure(
            "ResourceNotFoundException", .notFound, "The \(kind) does not exist.",
            cause: "There is no \(kind) \(arn) in the account and region of the request.")
    }

    private static func response(
        _ issued: (credentials: SessionCredentials, token: String), _ assumption: RoleAssumption, _ packedSize: Int,
        of anchor: TrustAnchor, _ certificate: ClientCertificate
    ) -> Response {
        let credentials = issued.credentials
        let role = assumption.role
        // The ID of a subject depends on the account and the certificate's subject.
        let digest = Array(SHA256.hash("\(anchor.account) \(certificate.certificate.subject)").prefix(16))
        let subject = KeycloakIdentifier.uuid(digest)
        return .json(
            [
                "credentialSet": [
                    [
                        "assumedRoleUser": [
                            "arn": .string(role.role.sessionARN(assumption.sessionName)),
                            "assumedRoleId": .string("\(role.role.id):\(assumption.sessionName)"),
                        ],
                        "credentials": [
                            "accessKeyId": .string(credentials.accessKeyID), "secretAccessKey": .string(credentials.secretAccessKey),
                            "sessionToken": .string(issued.token), "expiration": .string(credentials.expires.iso8601),
                        ],
                        "packedPolicySize": .integer(Int64(packedSize)), "roleArn": .string(role.arn),
                        "sourceIdentity": .string(assumption.sourceIdentity ?? ""),
                    ]
                ],
                "subjectArn": .string("arn:aws:rolesanywhere:\(anchor.region):\(anchor.account):subject/\(subject)"),
            ], status: .created, headers: .unstored)
    }

    func response(to failure: DoorFailure, of call: CredentialCall) -> Response {
        var response = Response.json(["message": .string(failure.message)], status: failure.status, headers: .unstored)
        response.headers[.amazonErrorType] = failure.code
        return response
    }
}

extension HTTPField.Name {
    /// The header with the error code in the REST JSON protocol.
    static let amazonErrorType = HTTPField.Name(literal: "x-amzn-ErrorType")
}
