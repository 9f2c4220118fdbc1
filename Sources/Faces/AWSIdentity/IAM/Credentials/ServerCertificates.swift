import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on an account's server certificates.
    static let serverCertificates: [String: Operation] = [
        "UploadServerCertificate": .init(uploadServerCertificate), "GetServerCertificate": .init(getServerCertificate),
        "ListServerCertificates": .list(of: "server-certificate", listServerCertificates),
        "UpdateServerCertificate": .init(updateServerCertificate),
        "DeleteServerCertificate": .init(deleteServerCertificate),
    ]

    /// The maximum number of certificates of an account. (IAM User Guide, "IAM and AWS STS quotas".)
    static let serverCertificateQuota = 20

    private static func uploadServerCertificate(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let path = call.parameters.path() ?? "/"
        let name = call.parameters.requiredText("ServerCertificateName", length: 1...128, pattern: .entityName)
        let body = call.parameters.requiredText("CertificateBody", length: 1...16_384, pattern: .policy)
        let privateKey = call.parameters.requiredText("PrivateKey", length: 1...16_384, pattern: .policy)
        let chain = call.parameters.text("CertificateChain", length: 1...2_097_152, pattern: .policy)
        let tags = call.parameters.tags(most: 50)
        try call.parameters.check()
        let arn = call.arn("server-certificate", name, path: path)
        try call.authorize(on: arn, newTags: tags)
        try call.admit(tags, ServerCertificate.tagFamily, on: arn)
        let expires = try expiration(of: body, privateKey: privateKey, chain: chain, now: call.now)
        // The service returns PEM without the white space around it, on which Terraform's provider relies.
        let certificate = ServerCertificate(
            account: call.account, name: name, path: path, id: try UniqueID.serverCertificate.make(), body: body.trimmed,
            chain: chain?.trimmed, privateKey: privateKey, uploaded: call.now, expires: expires, tags: tags)
        try await call.perform { directory throws(ServerCertificateRefusal) in
            try directory.addServerCertificate(certificate, limit: serverCertificateQuota)
        }
        return { xml in
            xml.element("ServerCertificateMetadata") { certificate.encode(into: &$0) }
            xml.tags(certificate.tags)
        }
    }

    private static func getServerCertificate(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let certificate = try certificate(&call)
        return { xml in
            xml.element("ServerCertificate") { xml in
                xml.element("ServerCertificateMetadata") { certificate.encode(into: &$0) }
                xml.element("CertificateBody", certificate.body)
                if let chain = certificate.chain { xml.element("CertificateChain", chain) }
                xml.tags(certificate.tags)
            }
        }
    }

    private static func listServerCertificates(
        _ members: (path: String, part: PagePart), _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let certificates = (call.directory.accounts[call.account]?.serverCertificates ?? []).filter { $0.path.hasPrefix(members.path) }
            .sorted { $0.name.lowercased() < $1.name.lowercased() }
        let page = try Page(of: certificates, members.part) { $0.name.lowercased() }
        return { xml in page.encode("ServerCertificateMetadataList", into: &xml) { certificate, xml in certificate.encode(into: &xml) } }
    }

    private static func updateServerCertificate(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let newPath = call.parameters.text("NewPath", length: 1...512, pattern: .path)
        let newName = call.parameters.text("NewServerCertificateName", length: 1...128, pattern: .entityName)
        let found = try certificate(&call)
        let arn = call.arn("server-certificate", newName ?? found.name, path: newPath ?? found.path)
        if arn != found.arn { try call.authorize(on: arn, tags: found.tags) }
        try await call.perform { [account = call.account] directory throws(ServerCertificateRefusal) in
            try directory.moveServerCertificate(found.name, in: account, toName: newName, path: newPath)
        }
        return nil
    }

    private static func deleteServerCertificate(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let found = try certificate(&call)
        try await call.perform { [account = call.account] directory throws(ServerCertificateRefusal) in
            try directory.deleteServerCertificate(found.name, in: account)
        }
        return nil
    }

    /// Returns when a certificate expires. It must be valid now, belong to the private key, and be issued by the first certificate of its
    /// chain. (IAM User Guide, "Manage server certificates in IAM", "Troubleshooting server certificates".)
    private static func expiration(
        of body: String, privateKey: String, chain: String?, now: Timestamp
    ) throws(ServiceError) -> Timestamp {
        let certificate: X509Certificate
        do { certificate = try X509Certificate(pem: body) } catch { throw .malformedCertificate }
        // This message belongs to a certificate that is not valid yet. (aws/aws-sdk-go#2586; the length of the response there is that of it.)
        guard certificate.isValid(at: now.seconds) else { throw .malformedCertificate }
        let matches: Bool
        do {
            matches = try certificate.matches(privateKey: privateKey)
        } catch {
            throw ServiceError(
                "MalformedCertificate", .badRequest, "Unable to parse private key. Please ensure the private key is in PEM format.")
        }
        guard matches else {
            throw ServiceError("KeyPairMismatch", .badRequest, "The private key does not match the public key of the certificate.")
        }
        if let chain { try check(chain, of: body, now: now) }
        return Timestamp(seconds: certificate.notAfter)
    }

    /// Checks a chain. The message is that of public reports, of which one has the index 1 and the others, where a wrong authority is the first
    /// of the chain, -1 (go-acme/lego#304).
    private static func check(_ chain: String, of body: String, now: Timestamp) throws(ServiceError) {
        let index: Int?
        do { index = try X509Certificate.fault(inChain: chain, of: body, now: now.seconds) } catch { throw .malformedCertificate }
        guard let index else { return }
        throw ServiceError(
            "MalformedCertificate", .badRequest,
            "Unable to validate certificate chain. The certificate chain must start with the immediate signing certificate, followed by any intermediaries in order. The index within the chain of the invalid certificate is: \(index)"
        )
    }

    /// Returns the certificate that a call names. Authorizes the call.
    private static func certificate(_ call: inout IAMCall) throws(ServiceError) -> ServerCertificate {
        let name = call.parameters.requiredText("ServerCertificateName", length: 1...128, pattern: .entityName)
        try call.parameters.check()
        let certificate: ServerCertificate
        do { certificate = try call.directory.serverCertificate(name, in: call.account) } catch {
            try call.authorize(on: call.arn("server-certificate", name))
            throw error.inWordsOfIAM
        }
        try call.authorize(on: certificate.arn, tags: certificate.tags)
        return certificate
    }
}

extension ServerCertificate {
    /// Writes the members of the shape `ServerCertificateMetadata`.
    fileprivate func encode(into xml: inout XMLWriter) {
        xml.element("Path", path)
        xml.element("ServerCertificateName", name)
        xml.element("ServerCertificateId", id)
        xml.element("Arn", arn)
        xml.element("UploadDate", uploaded.iso8601)
        xml.element("Expiration", expires.iso8601)
    }
}
