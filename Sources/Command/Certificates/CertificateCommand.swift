import ArgumentParser
import ControlDocuments
import WireFormats

/// `virga certificate`: issues and revokes certificates for clients of IAM Roles Anywhere.
struct CertificateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate", abstract: "Issue and revoke certificates for IAM Roles Anywhere.",
        discussion: "The seed must have a trust anchor without certificates: it has an authority in the sandbox.",
        subcommands: [CertificateCreateCommand.self, CertificateRevokeCommand.self])
}

/// The kinds of keys of certificates.
enum CertificateKey: String, ExpressibleByArgument, CaseIterable {
    case ec = "EC"
    case rsa = "RSA"
}

/// `virga certificate create`.
struct CertificateCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Issue a certificate with a new key.", discussion: "Prints the serial number.")

    @Option(help: ArgumentHelp("The subject, such as CN=batch,OU=jobs.", valueName: "name=value,..."))
    var subject: String

    @Option(help: "Where to write the certificate, in PEM.")
    var certificate: String

    @Option(help: "Where to write its private key, in PEM.")
    var privateKey: String

    @Option(name: .customLong("dns"), help: "A DNS name among the alternative names; may be repeated.")
    var dnsNames: [String] = []

    @Option(name: .customLong("uri"), help: "A URI among the alternative names; may be repeated.")
    var uris: [String] = []

    @Option(help: "The kind of the key: EC or RSA.")
    var key = CertificateKey.ec

    @Option(help: "The lifetime of the certificate in seconds. (default: a day)")
    var lifetime: Int?

    @Option(help: "The name of the trust anchor. (default: the first one that can issue certificates)")
    var trustAnchor: String?

    @OptionGroup var server: ServerArguments

    func validate() throws {
        for part in parts where !part.contains("=") || part.hasPrefix("=") {
            throw ValidationError("'\(part)' is not an attribute of a subject; write NAME=VALUE.")
        }
    }

    private var parts: [String] { subject.split(separator: ",").map { String($0) } }

    func run() async throws {
        let attributes = parts.map { part in
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(words[0]), JSONValue.string(String(words[1])))
        }
        var order: JSONObject = ["subject": .object(JSONObject(attributes)), "key": .string(key.rawValue)]
        if !dnsNames.isEmpty { order["dnsNames"] = .array(dnsNames.map { .string($0) }) }
        if !uris.isEmpty { order["uris"] = .array(uris.map { .string($0) }) }
        if let lifetime { order["lifetime"] = .integer(Int64(lifetime)) }
        if let trustAnchor { order["trustAnchor"] = .string(trustAnchor) }
        let issued = try await CertificateCommand.call(IssuedCertificateMembers.self, "certificates", order, at: server)
        try await reporting {
            try PrivateFile.write(issued.privateKey, to: PrivateFile.absolute(privateKey))
            try PrivateFile.write(issued.certificate, to: PrivateFile.absolute(certificate), mode: 0o644)
        }
        Output.line(issued.serial)
    }
}

/// `virga certificate revoke`.
struct CertificateRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke a certificate.")

    @Argument(help: "The serial number, in hexadecimal digits.")
    var serial: String

    @Option(help: "The name of the trust anchor. (default: the first one)")
    var trustAnchor: String?

    @OptionGroup var server: ServerArguments

    func run() async throws {
        var order: JSONObject = ["serial": .string(serial)]
        if let trustAnchor { order["trustAnchor"] = .string(trustAnchor) }
        _ = try await CertificateCommand.call(RevokedCertificatesMembers.self, "certificates/revoke", order, at: server)
    }
}

extension CertificateCommand {
    /// Makes a call of the control API.
    fileprivate static func call<Members: DocumentMembers>(
        _ members: Members.Type, _ path: String, _ order: JSONObject, at server: ServerArguments
    ) async throws -> Document<Members> {
        let endpoint = try server.origin()
        let fields = try server.fields
        return try await reporting {
            try await CloudClient.with(endpoint) { client in
                try await client.control(members, "POST", path, fields: fields, body: JSONValue.object(order).serialized())
            }
        }
    }
}
