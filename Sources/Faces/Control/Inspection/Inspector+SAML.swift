import Calls
import Cloud
import ControlDocuments
import Cryptography
import Directory
import Federation
import Policy
import Tokens
import WireFormats

extension Inspector {
    private static let longestDocument = 1 << 20
    static let limits = XMLLimits(depth: 32, attributes: 64, elements: 20_000, size: longestDocument)

    /// Inspects a SAML response or assertion: XML, or in base64, compressed, or in a form or URL. `nil` for another text.
    func inspect(saml text: String) async throws -> Inspection? {
        guard let (document, encoding) = Self.document(text), let root = try? XMLElement(parsing: document, limits: Self.limits) else {
            return nil
        }
        let isResponse = root.isNamed("Response", in: SAML.protocol)
        guard isResponse || root.isNamed("Assertion", in: SAML.assertion) else { return nil }
        var found = Inspection(isResponse ? "saml_response" : "saml_assertion")
        found.decoded = ["encoding": .string(encoding), "xml": .string(String(decoding: document, as: UTF8.self))]
        let assertion = isResponse ? root.child("Assertion", in: SAML.assertion) : root
        let issuer = (assertion ?? root).child("Issuer", in: SAML.assertion)?.text ?? ""
        let provider = cloud.directory.providers.values.first { provider in
            guard let settings = provider.saml else { return false }
            let bases = [call.origin, provider.origins?.issuer].compactMap(\.self).map { "\($0)/idp/\(provider.name)" }
            return bases.contains { settings.entityID(baseURL: $0) == issuer }
        }
        let requests = isResponse && expected["audience"] == nil && expected["recipient"] == nil ? self.requests(in: root) : []
        if requests.isEmpty {
            found.check(
                "issuer", provider != nil,
                "the issuer \(issuer) is \(provider.map { "\($0.name) of this sandbox" } ?? "not of this sandbox").")
        } else {
            try await check(document, for: requests, issuer: issuer, &found)
        }
        guard let provider else {
            if isResponse { try await findRoles(document, &found) }
            found.conclude("A valid assertion of \(issuer).")
            return found
        }
        let keys = try await cloud.keys(of: provider.name).map(\.key.verificationKey)
        var read: SAMLAssertion?
        do throws(SAMLResponseError) {
            read =
                try isResponse
                ? SAMLResponseVerifier(issuer: issuer, keys: keys).verify(document)
                : PresentedAssertion(parsing: document).verify(with: keys)
        } catch {
            if requests.isEmpty { found.check("signature", false, Self.words(for: error, provider.name)) }
        }
        if let read {
            describe(read, provider, &found)
            if requests.isEmpty {
                let isForeign = try await cloud.isOfAnotherSandbox(assertion: read.id, signedByOneOf: keys)
                found.check(
                    "signature", !isForeign,
                    isForeign ? "\(Self.wordsForForeign)." : "the signature is of a key of \(provider.name).")
                check(read, provider, &found)
            }
        }
        if let assertion = Self.assertion(in: document, isResponse: isResponse) {
            let isReadable = (try? PresentedAssertion(parsing: assertion)) != nil
            if isReadable {
                found.decoded["assertion"] = [
                    "xml": .string(String(decoding: assertion, as: UTF8.self)), "gzip": .string(assertion.gzipped.base64),
                ]
            }
        }
        if isResponse { try await findRoles(document, &found) }
        found.conclude("A valid assertion of \(provider.name)\(found.subject?["nameID"]?.stringValue.map { " for \($0)" } ?? "").")
        return found
    }

    /// Checks an assertion as a service provider does.
    private func check(_ assertion: SAMLAssertion, _ provider: IdentityProvider, _ found: inout Inspection) {
        let now = cloud.clock.now
        let ends = assertion.confirmations.compactMap(\.notOnOrAfter) + [assertion.conditions?.notOnOrAfter].compactMap(\.self)
        if let end = ends.min().map({ cloud.clock.effectiveExpiry($0, issuedAt: assertion.issued) }) {
            let isOver = end <= now
            found.check("times", !isOver, "the assertion \(isOver ? "expired" : "expires") at \(end.iso8601); it is \(self.now).")
        }
        let start = assertion.conditions?.notBefore.map { cloud.clock.effectiveExpiry($0, issuedAt: assertion.issued) }
        if let start, start > now {
            found.check("times", false, "the assertion is valid from \(start.iso8601); it is \(self.now).")
        }
        let audiences = assertion.conditions?.audiences.flatMap(\.self) ?? []
        let known = Set(provider.saml?.serviceProviders.map(\.entityID) ?? [])
        let shown = audiences.isEmpty ? "(none)" : audiences.joined(separator: ", ")
        if let audience = expected["audience"] {
            found.check("audience", audiences.contains(audience), "the audience is \(shown); expected \(audience).")
        } else {
            found.check("audience", audiences.contains(where: known.contains) ? true : nil, "the audience is \(shown).")
        }
        let recipients = assertion.confirmations.compactMap(\.recipient)
        if let recipient = expected["recipient"] {
            found.check(
                "recipient", recipients.contains(recipient),
                "the recipient is \(recipients.joined(separator: ", ")); expected \(recipient).")
        }
    }

    /// Decodes an assertion.
    private func describe(_ assertion: SAMLAssertion, _ provider: IdentityProvider, _ found: inout Inspection) {
        let audiences = assertion.conditions?.audiences.flatMap(\.self) ?? []
        let recipients = assertion.confirmations.compactMap(\.recipient)
        found.decoded["id"] = .string(assertion.id)
        found.decoded["issuer"] = .string(assertion.issuer)
        found.decoded["issued"] = .string(assertion.issued.iso8601)
        found.decoded["audiences"] = .array(audiences.map(JSONValue.string))
        found.decoded["recipients"] = .array(recipients.map(JSONValue.string))
        found.decoded["attributes"] = .array(
            assertion.attributes.map { ["name": .string($0.name), "values": .array($0.values.map(JSONValue.string))] })
        if let nameID = assertion.nameID {
            found.subject = [
                "provider": .string(provider.name), "nameID": .string(nameID.value),
                "format": nameID.format.map(JSONValue.string) ?? .null,
            ]
        }
    }

    /// Returns the bytes of the assertion in a response, as they were signed; `nil` if there is no readable one.
    private static func assertion(in document: [UInt8], isResponse: Bool) -> [UInt8]? {
        guard isResponse else { return document }
        let text = String(decoding: document, as: UTF8.self)
        guard let found = text.firstMatch(of: /<((?:[A-Za-z_][\w.-]*:)?)Assertion[\s>]/),
            let end = text[found.range.lowerBound...].firstRange(of: "</\(found.output.1)Assertion>")
        else { return nil }
        return Array(text[found.range.lowerBound..<end.upperBound].utf8)
    }

    /// Evaluates for every role of AWS in an account with a SAML provider whether it accepts the response.
    private func findRoles(_ document: [UInt8], _ found: inout Inspection) async throws {
        let trusts = cloud.directory.samlTrusts.values.filter { Vendor(account: $0.account) == .aws }.sorted { $0.arn < $1.arn }
        let roles = cloud.directory.roles.values.sorted { $0.arn < $1.arn }
        for role in roles where trusts.contains(where: { $0.account == role.role.account }) {
            var reasons: [String] = []
            var isAccepted = false
            for trust in trusts where trust.account == role.role.account && !isAccepted {
                guard let metadata = SAMLMetadata(try await trust.currentMetadata(in: cloud)) else { continue }
                do {
                    let identity = try await SAMLIdentityVerifier(clock: cloud.clock, metadata: metadata, trust: trust).verify(
                        document.base64, for: role.arn, in: cloud)
                    let verdict = call.decide(assumption: identity, of: role, sessionName: identity.sessionName)
                    isAccepted = verdict.decision.isAllowed
                    if let reason = verdict.trace.reason { reasons.append(reason) }
                } catch let error as SAMLIdentityError { reasons.append(error.cause) }
            }
            let reason = isAccepted ? nil : reasons.joined(separator: "; ")
            found.roles.append(Document { [$0.arn(role.arn), $0.accepts(isAccepted), $0.reason(reason)] })
        }
    }

    private static let wordsForForeign =
        "the assertion is of another sandbox with the same signing keys, or from before a reset; its signature does not count here"

    private static func words(for error: SAMLResponseError, _ provider: String) -> String {
        switch error {
        case .notSigned(let error): "the signature of the assertion is not of a key of \(provider), or does not cover it (\(error))."
        case .foreignIssuer: "the issuer of the assertion is another one than that of the response."
        case .unsuccessful(let status): "the login did not succeed: \(status)."
        case .malformed(let text): "the document violates SAML: \(text)"
        default: "the assertion cannot be verified: \(error)."
        }
    }

    /// Returns the XML document in a text, and how it was encoded.
    private static func document(_ text: String) -> (bytes: [UInt8], encoding: String)? {
        if text.hasPrefix("<") { return (Array(text.utf8), "xml") }
        var text = text
        var prefix = ""
        if let range = text.firstRange(of: "SAMLResponse=") {
            text = String(text[range.upperBound...].prefix { $0 != "&" && $0 != "\"" })
            prefix = "parameter, "
        }
        if text.contains("%"), let decoded = percentDecoded(text) { text = decoded }
        text.removeAll(where: \.isWhitespace)
        guard let bytes = [UInt8](base64: text) ?? [UInt8](base64url: text) else { return nil }
        if bytes.first == UInt8(ascii: "<") { return (bytes, prefix + "base64") }
        if bytes.starts(with: [0x1F, 0x8B]), let xml = bytes.gunzipped(upTo: longestDocument) { return (xml, prefix + "gzip, base64") }
        if let xml = bytes.inflated(upTo: longestDocument), xml.first == UInt8(ascii: "<") { return (xml, prefix + "deflate, base64") }
        return nil
    }
}
