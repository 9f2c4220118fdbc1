import Calls
import Cloud
import ObjectServing
import ObjectStore
import WireFormats

/// Custom domain names of buckets. (OSS User Guide, "Map custom domain names"; OSS API Reference, "PutCname".)
///
/// OSS maps a host after a DNS record contains a token that OSS has issued. Here no DNS is queried; the seed maps hosts.
extension OSSRequest {
    private static let tokenLifetime = Duration.seconds(72 * 3600)
    /// The maximum number of hosts. (OSS User Guide, "Map custom domain names", "Limits".)
    private static let mostHosts = 100

    private static let schema: [DocumentSchema.Member] = [
        .init(
            "Cname",
            .members([
                .init("Domain", .text),
                .init(
                    "CertificateConfiguration",
                    .members([
                        .init("CertId", .text, .optional), .init("Certificate", .text, .optional), .init("PrivateKey", .text, .optional),
                        .init("PreviousCertId", .text, .optional), .init("Force", .boolean, .optional),
                        .init("DeleteCertificate", .boolean, .optional),
                    ]), .optional),
            ]))
    ]

    func perform(_ operation: OSSCnameOperation, on bucket: Bucket) async throws -> Response {
        try authorize(operation.action, on: bucket)
        switch operation {
        case .create: return try await createToken(for: try await namedHost(), bucket)
        case .get:
            let host = try input(CnameInput.self).host
            guard let token = try tokens(of: bucket).first(where: { $0.child("Cname")?.text == host }) else {
                throw OSSError(.cnameTokenNotFound, nil, ["Cname": host])
            }
            return answer(host, token, bucket)
        case .put:
            let host = try await namedHost()
            guard bucket.ossHosts.contains(host) else { throw OSSError(.needVerifyDomainOwnership, nil, ["Cname": host]) }
            return answer()
        case .list: return list(bucket)
        case .delete:
            let host = try await namedHost()
            let rest = bucket.ossHosts.filter { $0 != host }
            if rest != bucket.ossHosts {
                try await store(rest.isEmpty ? nil : JSONValue.array(rest.map { .string($0) }).serialized(), as: .ossHosts, in: bucket)
            }
            return answer()
        }
    }

    /// Returns the host in the document.
    /// - Throws: `MalformedXML`, `InvalidArgument`.
    private func namedHost() async throws -> String {
        let element = try await xmlDocument("BucketCnameConfiguration", holding: Self.schema)
        let host = (element.child("Cname")?.child("Domain")?.text.trimmed ?? "").lowercased()
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.count > 1,
            labels.allSatisfy({ label in
                (1...63).contains(label.utf8.count) && label.utf8.first != UInt8(ascii: "-") && label.utf8.last != UInt8(ascii: "-")
                    && label.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
            })
        else { throw OSSError.invalidArgument("The domain is invalid.", name: "Domain", value: host) }
        return host
    }

    /// CreateCnameToken. Returns the existing token if it has not expired.
    private func createToken(for host: String, _ bucket: Bucket) async throws -> Response {
        let kept = try tokens(of: bucket)
        if let token = kept.first(where: { $0.child("Cname")?.text == host }) { return answer(host, token, bucket) }
        guard kept.count < Self.mostHosts else { throw OSSError(.tooManyConfigurations) }
        let members = [
            ("Cname", host), ("Token", call.id.longText.lowercased()), ("Created", String(clock.now.milliseconds)),
        ]
        let token = XMLElement("CnameToken", in: "", members.map { .element(XMLElement($0.0, in: "", text: $0.1)) })
        var xml = XMLWriter()
        xml.element("All") { xml in for element in kept + [token] { element.encode(into: &xml) } }
        try await store(String(decoding: xml.bytes, as: UTF8.self), as: .ossCnameTokens, in: bucket)
        return answer(host, token, bucket)
    }

    /// Returns the unexpired tokens of a bucket.
    private func tokens(of bucket: Bucket) throws(OSSError) -> [XMLElement] {
        (try configuration(.ossCnameTokens, of: bucket)?.children ?? []).filter { token in
            !clock.hasExpired(token.created + Self.tokenLifetime, issuedAt: token.created)
        }
    }

    private func answer(_ host: String, _ token: XMLElement, _ bucket: Bucket) -> Response {
        answer(root: "CnameToken") { xml in
            xml.element("Bucket", bucket.name)
            xml.element("Cname", host)
            xml.element("Token", token.child("Token")?.text ?? "")
            xml.element("ExpireTime", (clock.effective(token.created) + Self.tokenLifetime).httpDate)
        }
    }

    private func list(_ bucket: Bucket) -> Response {
        answer(root: "ListCnameResult") { xml in
            xml.element("Bucket", bucket.name)
            xml.element("Owner", bucket.account)
            for host in bucket.ossHosts {
                xml.element("Cname") { xml in
                    xml.element("Domain", host)
                    xml.element("LastModified", clock.effective(bucket.created).ossText)
                    xml.element("Status", "Enabled")
                }
            }
        }
    }
}

extension Bucket {
    /// The custom domain names of the bucket.
    fileprivate var ossHosts: [String] {
        guard let text = configuration.documents[.ossHosts], case .array(let hosts) = try? JSONValue(parsing: text) else { return [] }
        return hosts.compactMap(\.stringValue)
    }
}

extension XMLElement {
    /// The time at which a token was created.
    fileprivate var created: Timestamp { Timestamp(milliseconds: child("Created").flatMap { Int64($0.text) } ?? 0) }
}
