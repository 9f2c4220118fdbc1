import Cloud
import Exchange
import Tokens
import WireFormats

/// The keys as the first version published them: certificates in PEM by `kid`.
struct GoogleCertificates {
    let visit: Visit

    func response() async throws -> Response {
        var certificates: JSONObject = [:]
        let key = try await visit.cloud.signingKey(for: visit.provider.name)
        if let certificate = try key.selfSignedCertificate(named: "federated-signon.system.gserviceaccount.com") {
            certificates[key.keyID] = .string(Self.pem(certificate))
        }
        return .json(.object(certificates))
    }

    /// (RFC 7468 section 2.)
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
