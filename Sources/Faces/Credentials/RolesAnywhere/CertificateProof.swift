import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import RequestSigning
import WireFormats

/// The certificate with which a request is signed, and the checks of it. (IAM Roles Anywhere User Guide, "Signature verification" and "The IAM
/// Roles Anywhere authentication signing process"; of the messages, those about certificates and the signature are known of users.)
struct CertificateProof {
    let certificate: ClientCertificate
    /// The certificates between this one and the authority.
    let chain: [ClientCertificate]
    private let signature: SignatureX509

    /// The region that the request is signed for.
    var region: String { signature.presented.scope.region }

    /// The longest chain.
    private static let longestChain = 5

    /// Reads the signature and the certificates of a request.
    init(_ call: Call) throws(DoorFailure) {
        let presented: SignatureX509?
        do throws(SigningError) { presented = try SignatureX509(call.signable) } catch {
            throw RolesAnywhereDoor.denied("Invalid signature", cause: "The Authorization header is not valid: \(error).")
        }
        guard let presented else {
            throw RolesAnywhereDoor.denied(
                "Missing Authentication Token", cause: "The request has no signature of the kind \(SignatureX509.scheme).")
        }
        signature = presented
        guard presented.presented.scope.service == SignatureX509.service else {
            throw RolesAnywhereDoor.denied(
                "Invalid signature", cause: "The signature is for the service \(presented.presented.scope.service).")
        }
        let own = try Self.certificates(in: call.headers, SignatureX509.certificateField, presented)
        guard own.count == 1, let certificate = own.first else {
            throw RolesAnywhereDoor.denied("Untrusted certificate. Insufficient certificate", cause: "X-Amz-X509 has no certificate.")
        }
        self.certificate = certificate
        chain = try Self.certificates(in: call.headers, SignatureX509.chainField, presented)
        guard chain.count <= Self.longestChain else {
            throw RolesAnywhereDoor.denied("Untrusted signing certificate", cause: "X-Amz-X509-Chain has more than 5 certificates.")
        }
    }

    /// Reads the certificates of a header, which the signature must cover.
    private static func certificates(
        in headers: HTTPFields, _ field: String, _ signature: SignatureX509
    ) throws(DoorFailure) -> [ClientCertificate] {
        guard let name = HTTPField.Name(field), let text = headers[name], !text.isEmpty else { return [] }
        guard signature.presented.signedHeaders.contains(where: { $0 == field }) else {
            throw RolesAnywhereDoor.denied("Invalid signature", cause: "The signature does not cover \(field).")
        }
        var certificates: [ClientCertificate] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).prefix(longestChain + 1) {
            let encoded = String(part.drop { $0 == " " })
            guard let der = [UInt8](base64: encoded), let certificate = try? ClientCertificate(der: der) else {
                throw RolesAnywhereDoor.denied(
                    "Untrusted certificate. Insufficient certificate", cause: "\(field) is not a certificate in base 64.")
            }
            certificates.append(certificate)
        }
        return certificates
    }

    /// Checks what every certificate must have, independently of its issuer.
    func checkCertificate(at now: Timestamp) throws(DoorFailure) {
        let faults: [(Bool, String)] = [
            (certificate.version != 3 || certificate.isMalformed, "The certificate must be an X.509 certificate of version 3."),
            (certificate.isAuthority, "The certificate is that of an authority (CA:TRUE)."),
            (!certificate.maySign, "The key usage of the certificate must include digitalSignature."),
            (!certificate.hasStrongHash, "The certificate must be signed with SHA-256 or a longer digest."),
            (!certificate.attributes.contains { $0.place == .subject }, "The certificate has no subject."),
            (certificate.serial.isEmpty, "The serial number must be positive and have at most 20 bytes."),
            (!certificate.certificate.isValid(at: now.seconds), "The certificate has expired, or is not valid yet."),
        ]
        if let fault = faults.first(where: \.0) {
            throw RolesAnywhereDoor.denied("Untrusted certificate. Insufficient certificate", cause: fault.1)
        }
    }

    /// Checks the path to the authorities of a trust anchor, and that none of the certificates is revoked.
    /// - Throws: ``DoorFailure``, or an error of the database.
    func checkTrust(in anchor: TrustAnchor, _ cloud: Cloud) async throws {
        func untrusted(_ cause: String) -> DoorFailure { RolesAnywhereDoor.denied("Untrusted signing certificate", cause: cause) }
        guard let trust = CertificateTrust(pem: try await cloud.authorities(of: anchor)) else {
            throw untrusted("The certificates of the trust anchor cannot be read.")
        }
        let path: [ClientCertificate]
        do throws(CertificateTrust.NoPath) {
            path = try trust.path(from: certificate, chain: chain, now: cloud.clock.now.seconds)
        } catch {
            throw untrusted("No path to the trust anchor: \(error.reason).")
        }
        // A client need not send the certificates that the trust anchor has.
        if Cloud.isRevoked(certificate, chain: path, by: anchor) {
            throw RolesAnywhereDoor.denied("Untrusted certificate. Revoked certificate", cause: "The certificate is revoked.")
        }
    }

    /// Checks the signature, with its serial number and its time.
    func checkSignature(of call: Call, body: [UInt8]) throws(DoorFailure) {
        func invalid(_ cause: String) -> DoorFailure { RolesAnywhereDoor.denied("Invalid signature", cause: cause) }
        guard signature.presented.accessKey == certificate.decimalSerial else {
            throw invalid("The credential must begin with the decimal serial number of the certificate.")
        }
        let skew = signature.presented.timestamp - call.arrived
        guard skew <= Authenticator.allowedSkew, skew >= .zero - Authenticator.allowedSkew else {
            throw invalid("X-Amz-Date differs from the time of the server by more than 15 minutes.")
        }
        guard (signature.key == .rsa) == (certificate.certificate.rsaKey != nil) else {
            throw invalid("The algorithm is not that of the certificate's key.")
        }
        guard let bytes = [UInt8](hex: signature.presented.signature),
            certificate.verify(bytes, of: signature.signedText(of: call.signable, body: body))
        else { throw invalid("The key of the certificate did not make the signature.") }
    }
}
