import ArgumentParser
import Cryptography
import HTTPTypes
import RequestSigning
import WireFormats

/// `virga credential-process`: prints credentials of IAM Roles Anywhere for a certificate, with the options of AWS's own helper.
/// (IAM Roles Anywhere User Guide, "Get temporary security credentials"; AWS SDKs and Tools Reference Guide, "Process credential provider".)
struct CredentialProcessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential-process", abstract: "Print credentials of IAM Roles Anywhere for a certificate.",
        discussion: """
            For credential_process in ~/.aws/config, with the options of aws_signing_helper, which can be used instead:

            credential_process = virga credential-process --certificate c.pem --private-key k.pem --trust-anchor-arn ... --profile-arn ... \
            --role-arn ...
            """)

    @Option(help: "The certificate, in PEM.")
    var certificate: String

    @Option(help: "Its private key, in PEM and not encrypted.")
    var privateKey: String

    @Option(help: "The certificates between it and the authority, in PEM.")
    var intermediates: String?

    @Option(help: "The ARN of the trust anchor.")
    var trustAnchorArn: String

    @Option(help: "The ARN of the profile.")
    var profileArn: String

    @Option(help: "The ARN of the role.")
    var roleArn: String

    @Option(help: "The lifetime of the credentials in seconds. (default: that of the profile)")
    var sessionDuration: Int?

    @Option(help: "The name of the session. (default: the serial number of the certificate)")
    var roleSessionName: String?

    @Option(help: "The region. (default: that of the trust anchor)")
    var region: String?

    @Option(help: "Where the server runs. [VIRGA_ENDPOINT, default http://127.0.0.1:4566]")
    var endpoint: String?

    func run() async throws {
        let endpoint = try OriginArgument.endpoint(self.endpoint)
        try await reporting {
            let (request, body) = try signedRequest(at: endpoint)
            let answer = try await CloudClient.with(endpoint) { client in
                try await client.send(
                    request.method, request.path + (request.query.items.isEmpty ? "" : "?\(request.query.text)"),
                    fields: request.fields.map { ($0.name.rawName, $0.value) }, body: body)
            }
            guard answer.status == 201, let credentials = answer.json?["credentialSet"]?.arrayValue?.first?["credentials"] else {
                let message = answer.json?["message"]?.stringValue ?? "the cloud answered \(answer.status)"
                throw Failure(description: "CreateSession failed: \(answer.field("x-amzn-errortype") ?? "") \(message)")
            }
            Output.line(try Self.output(credentials).serialized())
        }
    }

    /// Returns what SDKs read from the process.
    /// - Parameter credentials: those of the answer.
    static func output(_ credentials: JSONValue) throws(Failure) -> JSONValue {
        func member(_ name: String) throws(Failure) -> JSONValue {
            guard let text = credentials[name]?.stringValue, !text.isEmpty else {
                throw Failure(description: "CreateSession failed: the answer has no \(name)")
            }
            return .string(text)
        }
        return [
            "Version": 1, "AccessKeyId": try member("accessKeyId"), "SecretAccessKey": try member("secretAccessKey"),
            "SessionToken": try member("sessionToken"), "Expiration": try member("expiration"),
        ]
    }

    /// Returns the signed call of CreateSession, and its body. The ARNs are in the query, as those of AWS's helper.
    private func signedRequest(at endpoint: OriginArgument) throws -> (SignableRequest, String) {
        let own = try Self.certificates(in: certificate)
        let others = try intermediates.map { try Self.certificates(in: $0) } ?? []
        guard let first = own.first else { throw Failure(description: "\(certificate) has no certificate") }
        let pem = try Self.text(of: privateKey)
        guard let key = try? ClientKey(pem: pem) else {
            throw Failure(description: "\(privateKey) has no unencrypted private key of RSA or of an elliptic curve")
        }
        var order: JSONObject = [:]
        if let sessionDuration { order["durationSeconds"] = .integer(Int64(sessionDuration)) }
        if let roleSessionName { order["roleSessionName"] = .string(roleSessionName) }
        let body = JSONValue.object(order).serialized()
        let query: FormFields = ["profileArn": profileArn, "roleArn": roleArn, "trustAnchorArn": trustAnchorArn]
        let authority = String(endpoint.text.drop { $0 != "/" }.dropFirst(2))
        var request = SignableRequest(
            method: "POST", target: "/sessions?\(query.encoded)", authority: authority, fields: [.contentType: "application/json"])
        let kind: SignatureX509.KeyKind = if case .rsa = key { .rsa } else { .ecdsa }
        try SignatureX509.sign(
            &request, body: Array(body.utf8), key: kind, serial: first.decimalSerial, certificate: first.der.base64,
            chain: (own.dropFirst() + others).map(\.der.base64), region: region ?? anchorRegion, at: .now()
        ) { text throws(CryptographyError) in try key.sign(text) }
        return (request, body)
    }

    /// The region in the ARN of the trust anchor.
    private var anchorRegion: String {
        let parts = trustAnchorArn.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count > 3 ? String(parts[3]) : "us-east-1"
    }

    private static func text(of path: String) throws -> String {
        guard let bytes = try Input.contents(of: path, limit: 1 << 20) else { throw Failure(description: "there is no file \(path)") }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func certificates(in path: String) throws -> [ClientCertificate] {
        let text = try text(of: path)
        guard let certificates = try? ClientCertificate.all(inPEM: text) else {
            throw Failure(description: "\(path) has no certificate in PEM")
        }
        return certificates
    }
}
