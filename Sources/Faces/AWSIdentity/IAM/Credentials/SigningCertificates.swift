import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on users' X.509 signing certificates.
    static let signingCertificates: [String: Operation] = [
        "UploadSigningCertificate": .authorized(members: certificate, on: { try $1.user($0.user) }, uploadSigningCertificate),
        "UpdateSigningCertificate": .authorized(members: idAndStatus, on: { try $1.user($0.user) }, updateSigningCertificate),
        "DeleteSigningCertificate": .authorized(members: certificateID, on: { try $1.user($0.user) }, deleteSigningCertificate),
        "ListSigningCertificates": .authorized(members: { try page(&$0) }, on: { try $1.user($0.user) }, listSigningCertificates),
    ]

    /// The maximum number of certificates of one user. (IAM User Guide, "IAM and AWS STS quotas".)
    static let signingCertificateQuota = 2

    private static func uploadSigningCertificate(
        _ members: (body: String, user: String?), _ found: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let body = members.body
        do { _ = try X509Certificate(pem: body) } catch { throw ServiceError.malformedCertificate }
        let certificate = SigningCertificate(id: AccessKeyAlphabet.text(try randomBytes(32)), body: body, uploaded: call.now)
        try await call.perform { [account = call.account] directory throws(CredentialRefusal) in
            try directory.addSigningCertificate(certificate, of: found.name, in: account, limit: signingCertificateQuota)
        }
        let clock = call.cloud.clock
        return { xml in xml.element("Certificate") { certificate.encode(into: &$0, of: found, clock) } }
    }

    private static func updateSigningCertificate(
        _ members: (id: String, status: CredentialStatus, user: String?), _ found: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        try await call.setCredential(members.id, in: \.signingCertificates, of: found, isActive: members.status == .active)
        return nil
    }

    private static func deleteSigningCertificate(
        _ members: (id: String, user: String?), _ found: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        try await call.deleteCredential(members.id, in: \.signingCertificates, of: found)
        return nil
    }

    private static func listSigningCertificates(
        _ members: (part: PagePart, user: String?), _ user: User, _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let page = try Page(of: user.signingCertificates.sorted { $0.id < $1.id }, members.part, key: \.id)
        let clock = call.cloud.clock
        return { xml in page.encode("Certificates", into: &xml) { certificate, xml in certificate.encode(into: &xml, of: user, clock) } }
    }

    private static func certificate(_ parameters: inout QueryParameters) -> (body: String, user: String?) {
        (parameters.requiredText("CertificateBody", length: 1...16_384, pattern: .policy), userName(&parameters))
    }

    private static func certificateID(_ parameters: inout QueryParameters) -> (id: String, user: String?) {
        (parameters.requiredText("CertificateId", length: 24...128, pattern: .word), userName(&parameters))
    }

    private static func idAndStatus(_ parameters: inout QueryParameters) -> (id: String, status: CredentialStatus, user: String?) {
        let id = parameters.requiredText("CertificateId", length: 24...128, pattern: .word)
        return (id, parameters.status(), userName(&parameters))
    }

    private static func page(_ parameters: inout QueryParameters) throws(ServiceError) -> (part: PagePart, user: String?) {
        (try parameters.part(), userName(&parameters))
    }

    private static func userName(_ parameters: inout QueryParameters) -> String? {
        parameters.text("UserName", length: 1...128, pattern: .entityName)
    }
}

extension ServiceError {
    static let malformedCertificate = ServiceError(
        "MalformedCertificate", .badRequest, "Unable to parse certificate. Please ensure the certificate is in PEM format.")
}

extension SigningCertificate {
    fileprivate func encode(into xml: inout XMLWriter, of user: User, _ clock: SandboxClock) {
        xml.element("UserName", user.name)
        xml.element("CertificateId", id)
        xml.element("CertificateBody", body)
        xml.element("Status", CredentialStatus(isActive: isActive).rawValue)
        xml.element("UploadDate", clock.effective(uploaded).iso8601)
    }
}
