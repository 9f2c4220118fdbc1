import ControlDocuments
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the control API returns for a client of IAM Roles Anywhere.
struct CertificateOffer: Sendable {
    private let certificate: String
    private let privateKey: String
    private let trustAnchor: String
    private let profile: String
    private let region: String

    init(_ offer: Document<CredentialOfferMembers>) {
        (certificate, privateKey) = (offer.certificate ?? "", offer.privateKey ?? "")
        (trustAnchor, profile, region) = (offer.trustAnchor ?? "", offer.profile ?? "", offer.region ?? "")
    }

    /// Writes the files of the client, among them a configuration file of AWS whose process is ``CredentialProcessCommand``.
    /// - Returns: the path of the configuration file.
    func configurationFile(
        role: String, at endpoint: OriginArgument, _ write: (_ text: String, _ kind: String) throws -> String
    ) rethrows -> String {
        let words = [
            Self.executable, "credential-process", "--certificate", try write(certificate, "certificate.pem"), "--private-key",
            try write(privateKey, "key.pem"), "--trust-anchor-arn", trustAnchor, "--profile-arn", profile, "--role-arn", role, "--region",
            region, "--endpoint", endpoint.text,
        ]
        let process = words.map { Self.quoted($0) }.joined(separator: " ")
        return try write("[default]\nregion = \(region)\ncredential_process = \(process)\n", "config")
    }

    /// Returns a word as shells read it. SDKs run the command in one, where any program can have answered with the ARNs. Most words are
    /// written without quotation marks: the SDK for Go reads a value that begins with one only up to the next.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-_./:@+=,".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }

    /// The path of this program.
    private static var executable: String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        guard count > 0 else { return CommandLine.arguments.first.map(PrivateFile.absolute) ?? "virga" }
        return String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
