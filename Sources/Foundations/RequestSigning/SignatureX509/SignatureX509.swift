import HTTPTypes
package import WireFormats

/// The signature of a request with the key of a certificate: Signature Version 4 with another last step.
/// (IAM Roles Anywhere User Guide, "The IAM Roles Anywhere authentication signing process".)
package struct SignatureX509: Sendable {
    /// The kinds of keys in names of algorithms.
    package enum KeyKind: String, Sendable, CaseIterable {
        case rsa = "RSA"
        case ecdsa = "ECDSA"
    }

    /// The kind of the key.
    package let key: KeyKind
    /// The algorithm, such as `AWS4-X509-RSA-SHA256`.
    package let algorithm: String
    /// The parts of the header. The access key is the decimal serial number of the certificate.
    package let presented: SignatureV4.Presented

    /// The beginning of the names of algorithms.
    package static let scheme = "AWS4-X509-"
    /// The header with the certificate in base 64.
    package static let certificateField = "x-amz-x509"
    /// The header with the certificates between it and the authority, in base 64 with commas.
    package static let chainField = "x-amz-x509-chain"
    /// The service of credential scopes.
    package static let service = "rolesanywhere"

    /// The algorithms. The digest of the signature is always SHA-256. Some clients name the digest of the certificate instead, and the service
    /// accepts them.
    private static let algorithms = KeyKind.allCases.flatMap { kind in
        ["SHA256", "SHA384", "SHA512"].map { (name: "\(scheme)\(kind.rawValue)-\($0)", kind: kind) }
    }

    /// Reads the signature of a request; `nil` if it has none of this kind.
    package init?(_ request: SignableRequest) throws(SigningError) {
        let fields = HeaderSignature(request.fields, scheme: "AWS4-X509-")
        guard let authorization = fields.authorization else { return nil }
        let name = String(authorization.prefix { $0 != " " })
        guard let known = Self.algorithms.first(where: { $0.name == name }) else { throw .unsupportedAlgorithm(name) }
        (algorithm, key) = (name, known.kind)
        presented = try SignatureV4.Presented(authorization: authorization, fields, algorithm: name)
        guard presented.signedHeaders.contains("host") else { throw .hostNotSigned }
    }

    /// Returns the text that the signature covers.
    /// - Parameter body: the body of the request.
    package func signedText(of request: SignableRequest, body: [UInt8]) -> [UInt8] {
        Self.signedText(of: request, body: body, presented.signedHeaders, algorithm, presented.timestamp, presented.scope)
    }

    fileprivate static func signedText(
        of request: SignableRequest, body: [UInt8], _ names: [String], _ algorithm: String, _ time: Timestamp, _ scope: CredentialScope
    ) -> [UInt8] {
        let canonical = CanonicalRequest(request, signedHeaders: names, payload: PayloadHash(of: body), path: .normalised).bytes
        return SignatureV4.stringToSign(canonicalRequest: canonical, timestamp: time, scope: scope, algorithm: algorithm)
    }

    /// Adds the headers that sign a request: the certificates, `X-Amz-Date` and `Authorization`.
    /// - Parameters:
    ///   - serial: the decimal serial number of the certificate.
    ///   - certificate: the certificate in base 64.
    ///   - chain: the certificates between it and the authority, in base 64.
    ///   - signature: signs a text with SHA-256.
    package static func sign<Failure: Error>(
        _ request: inout SignableRequest, body: [UInt8], key: KeyKind, serial: String, certificate: String, chain: [String],
        region: String, at time: Timestamp, by signature: ([UInt8]) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        let algorithm = "\(scheme)\(key.rawValue)-SHA256"
        request.fields.set("X-Amz-Date", time.basic)
        request.fields.set("X-Amz-X509", certificate)
        if !chain.isEmpty { request.fields.set("X-Amz-X509-Chain", chain.joined(separator: ",")) }
        let names = (["host"] + request.fields.map { $0.name.canonicalName }).sorted { $0 < $1 }
        let scope = CredentialScope(date: time.dateStamp, region: region, service: service)
        let signed = try signature(signedText(of: request, body: body, names, algorithm, time, scope))
        let credential = "Credential=\(serial)/\(scope.text)"
        request.fields.set(
            "Authorization", "\(algorithm) \(credential), SignedHeaders=\(names.joined(separator: ";")), Signature=\(signed.hex)")
    }
}
