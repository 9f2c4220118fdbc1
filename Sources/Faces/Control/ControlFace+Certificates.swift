import Calls
import Cloud
import ControlDocuments
import Cryptography
import Directory
import Federation
import HTTPTypes
import NIOPosix
import WireFormats

/// A certificate to issue.
struct CertificateOrder {
    /// The kinds of keys.
    enum KeyKind: String, CaseIterable {
        case ec = "EC"
        case rsa = "RSA"
    }

    var request: ClientCertificateRequest
    var key = KeyKind.ec

    /// The lifetime of certificates in seconds that are ordered without one.
    static let usualLifetime: Int64 = 86_400
    /// The longest lifetime in seconds.
    static let longestLifetime: Int64 = 315_360_000

    /// - Parameter now: by the sandbox's clock.
    init(commonName: String, at now: Timestamp) {
        request = ClientCertificateRequest(
            subject: [("CN", commonName)], notBefore: now.seconds - 60, notAfter: now.seconds + Self.usualLifetime)
    }

    init(_ body: JSONObject, at now: Timestamp) throws(ControlError) {
        guard let subject = body["subject"]?.objectValue?.members, !subject.isEmpty, subject.allSatisfy({ $0.value.stringValue != nil })
        else {
            throw ControlError(.badRequest, "malformed_member", "'subject' must be an object such as {\"CN\":\"batch\"}.")
        }
        var lifetime = Self.usualLifetime
        if let value = body["lifetime"] {
            guard let seconds = value.integerValue, (1...Self.longestLifetime).contains(seconds) else {
                throw ControlError(
                    .badRequest, "malformed_member", "'lifetime' must be a number of seconds from 1 to \(Self.longestLifetime).")
            }
            lifetime = seconds
        }
        request = ClientCertificateRequest(
            subject: subject.map { ($0.name, $0.value.stringValue ?? "") }, notBefore: now.seconds - 60, notAfter: now.seconds + lifetime)
        request.dnsNames = try Self.alternatives("dnsNames", in: body)
        request.uris = try Self.alternatives("uris", in: body)
        if let kind = try body.choice("key", of: KeyKind.allCases) { key = kind }
    }

    private static func alternatives(_ name: String, in body: JSONObject) throws(ControlError) -> [String] {
        guard let value = body[name] else { return [] }
        guard let texts = value.arrayValue?.map(\.stringValue), texts.allSatisfy({ $0.map(ClientCertificateRequest.isAlternative) == true })
        else {
            throw ControlError(.badRequest, "malformed_member", "'\(name)' must be a list of names of letters, digits and -._~:/@%*.")
        }
        return texts.compactMap(\.self)
    }
}

extension ControlFace {
    /// `POST /_virga/certificates` with `{"subject":{"CN":"batch"}}`: issues a certificate for a client of IAM Roles Anywhere. `trustAnchor` is
    /// the name of another trust anchor than the first one that can issue certificates.
    func issueCertificate(_ call: Call, _ body: JSONObject) async throws -> Response {
        try body.expect(only: ["trustAnchor", "subject", "dnsNames", "uris", "key", "lifetime"])
        let now = call.cloud.clock.now
        let order = try CertificateOrder(body, at: now)
        let anchor = try Self.anchor(try body.text("trustAnchor"), call) { $0.certificates == nil }
        let issued = try await Self.issue(order, by: anchor, call)
        let document = Document<IssuedCertificateMembers> {
            [
                $0.trustAnchor(anchor.name), $0.trustAnchorARN(anchor.arn), $0.serial(issued.serial),
                $0.lifetime(order.request.notAfter - now.seconds), $0.certificate(issued.certificate),
                $0.privateKey(issued.key),
            ]
        }
        return .json(document.json, headers: .unstored)
    }

    /// `POST /_virga/certificates/revoke` with `{"serial":"01ab"}`: lets a trust anchor refuse a certificate.
    func revokeCertificate(_ call: Call, _ body: JSONObject) async throws -> Response {
        try body.expect(only: ["trustAnchor", "serial"])
        let digits = try body.text("serial")?.lowercased().filter { $0 != ":" } ?? ""
        let serial = String(digits.drop { $0 == "0" })
        guard !serial.isEmpty, serial.allSatisfy({ $0.isHexDigit && $0.isASCII }), serial.utf8.count <= 40 else {
            throw ControlError(.badRequest, "malformed_member", "'serial' must be a serial number in hexadecimal digits.")
        }
        let named = try Self.anchor(try body.text("trustAnchor"), call) { _ in true }
        let revoked = try await call.cloud.edit { directory in
            guard var anchor = directory.credentialSources.trustAnchors.first(where: { $0.id == named.id }) else { return [String]() }
            if !anchor.revoked.contains(where: { $0 == serial }) { anchor.revoked.append(serial) }
            directory.put(.credentialSource(.trustAnchor(anchor)))
            return anchor.revoked
        }
        return .json(Document<RevokedCertificatesMembers> { [$0.trustAnchor(named.name), $0.revoked(revoked)] }.json)
    }

    /// Returns what a client needs for CreateSession, with a new certificate whose common name is the name of the profile.
    func offer(profile name: String?, _ call: Call) async throws -> Response {
        let sources = call.cloud.directory.credentialSources
        let offers = sources.anywhereProfiles.flatMap { profile in
            profile.roles.map { (profile: profile, role: $0, name: "\(profile.name)/\($0)") }
        }
        guard let offer = name.map({ name in offers.first { $0.name == name || $0.profile.name == name } }) ?? offers.first else {
            throw Self.unknownSource(name, offers.map(\.name))
        }
        let profile = offer.profile
        let anchor = try Self.anchor(nil, call) {
            $0.certificates == nil && $0.account == profile.account && $0.region == profile.region
        }
        let order = CertificateOrder(commonName: String(profile.name.prefix(64)), at: call.cloud.clock.now)
        let issued = try await Self.issue(order, by: anchor, call)
        let role = call.cloud.directory.role(offer.role, in: profile.account)?.arn ?? "arn:aws:iam::\(profile.account):role/\(offer.role)"
        return Self.response(to: .certificate, offer.name, role: role) {
            [
                $0.certificate(issued.certificate), $0.privateKey(issued.key), $0.trustAnchor(anchor.arn), $0.profile(profile.arn),
                $0.region(profile.region),
            ]
        }
    }

    /// Returns the trust anchor with a name, or else the first suitable one.
    private static func anchor(
        _ name: String?, _ call: Call, where isSuitable: (TrustAnchor) -> Bool
    ) throws(ControlError) -> TrustAnchor {
        let known = call.cloud.directory.credentialSources.trustAnchors.filter(isSuitable)
        if let anchor = name.map({ name in known.first { $0.name == name } }) ?? known.first { return anchor }
        guard let name else {
            throw ControlError(
                .notFound, "unknown_trust_anchor",
                "The seed has no trust anchor that can issue certificates; add one without certificates, as in seed/credentials.json5.")
        }
        throw ControlError(.notFound, "unknown_trust_anchor", "There is no suitable trust anchor '\(name)'.")
    }

    private static func issue(
        _ order: CertificateOrder, by anchor: TrustAnchor, _ call: Call
    ) async throws -> (certificate: String, key: String, serial: String) {
        let key: ClientKey =
            switch order.key {
            case .ec: .ec(try .generate())
            // It takes too long for an event loop.
            case .rsa: .rsa(try await NIOThreadPool.singleton.runIfActive { try RSAPrivateKey.generate() })
            }
        do {
            guard let pem = try await call.cloud.issueCertificate(order.request, for: key, by: anchor),
                let certificate = try ClientCertificate.all(inPEM: pem).first
            else {
                throw ControlError(.notFound, "unknown_trust_anchor", "The sandbox has no key of the trust anchor \(anchor.name).")
            }
            return (pem, try key.pem, certificate.serialNumber)
        } catch is CryptographyError {
            throw ControlError(
                .badRequest, "malformed_member",
                "'subject' must have attributes such as CN, O, OU, L, ST and C, with values of the length that X.520 allows.")
        }
    }
}
