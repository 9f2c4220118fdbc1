import Calls
import Cloud
import Directory
import Tokens
import WireFormats

/// The keys of a provider as PEM certificates by `kid`, as Google and Facebook publish them.
struct CertificateSet {
    let visit: Visit
    /// The common name of the certificates.
    let subject: String

    func response() async throws -> Response {
        var certificates: JSONObject = [:]
        for issued in try await visit.cloud.publishedKeys(of: visit.provider.name, algorithms: visit.provider.signingAlgorithms) {
            guard let certificate = try issued.key.selfSignedCertificate(named: subject) else {
                continue
            }
            certificates[issued.key.keyID] = .string(Self.pem(certificate))
        }
        return .json(.object(certificates), headers: KeySetDocument.headers)
    }

    /// Returns a certificate as PEM. (RFC 7468 section 2.)
    private static func pem(_ certificate: [UInt8]) -> String {
        var lines = ["-----BEGIN CERTIFICATE-----"]
        var rest = certificate.base64[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        return (lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
    }
}
