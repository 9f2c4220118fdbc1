import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on users' X.509 signing certificates.
    static let signingCertificates: [String: Operation] = [
        "UploadSigningCertificate": .init(uploadSigningCertificate), "UpdateSigningCertificate": .init(updateSigningCertificate),
        "DeleteSigningCertificate": .init(deleteSigningCertificate), "ListSigningCertificates": .init(listSigningCertificates),
    ]

    /// The maximum number of certificates of one user. (IAM User Guide, "IAM and AWS STS quotas".)
    static let signingCertificateQuota = 2

    private static func uploadSigningCertificate(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let body = call.parameters.requiredText("CertificateBody", length: 1...16_384, pattern: .policy)
        let found = try user(&call)
        do { _ = try X509Certificate(pem: body) } catch { throw ServiceError.malformedCertificate }
        let certificate = SigningCertificate(id: AccessKeyAlphabet.text(try randomBytes(32)), body: body, uploaded: call.now)
        try await call.perform { [account = call.account] directory throws(CredentialRefusal) in
            try directory.addSigningCertificate(certificate, of: found.name, in: account, limit: signingCertificateQuota)
        }
        let clock = call.cloud.clock
        return { xml in xml.element("Certificate") { certificate.encode(into: &$0, of: found, clock) } }
    }

    private static func updateSigningCertificate(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let id = call.parameters.requiredText("CertificateId", length: 24...128, pattern: .word)
        let status = call.parameters.status()
        let found = try user(&call)
        try await call.setCredential(id, in: \.signingCertificates, of: found, isActive: status == .active)
        return nil
    }

    private static func deleteSigningCertificate(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let id = call.parameters.requiredText("CertificateId", length: 24...128, pattern: .word)
        let found = try user(&call)
        try await call.deleteCredential(id, in: \.signingCertificates, of: found)
        return nil
    }

    private static func listSigningCertificates(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let part = try call.parameters.part()
        let user = try user(&call)
        let page = try Page(of: user.signingCertificates.sorted { $0.id < $1.id }, part, key: \.id)
        let clock = call.cloud.clock
        return { xml in page.encode("Certificates", into: &xml) { certificate, xml in certificate.encode(into: &xml, of: user, clock) } }
    }

    /// Returns the user that the call names, or the calling user. Authorizes the call.
    private static func user(_ call: inout IAMCall) throws(ServiceError) -> User {
        let name = call.parameters.text("UserName", length: 1...128, pattern: .entityName)
        try call.parameters.check()
        let user = try call.user(name)
        try call.authorize(on: user.arn, tags: user.tags)
        return user
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
