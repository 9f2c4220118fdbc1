import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Tokens
import WireFormats

extension Inspector {
    private static let longestDocument = 1 << 20
    private static let limits = XMLLimits(depth: 32, attributes: 64, elements: 20_000, size: longestDocument)

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
        found.check(
            "issuer", provider != nil,
            "the issuer \(issuer) is \(provider.map { "\($0.name) of this sandbox" } ?? "not of this sandbox").")
        guard let provider else {
            found.conclude("")
            return found
        }
        let keys = try await cloud.keys(of: provider.name).map(\.key.verificationKey)
        do throws(SAMLResponseError) {
            let read =
                try isResponse
                ? SAMLResponseVerifier(issuer: issuer, keys: keys).verify(document)
                : PresentedAssertion(parsing: document).verify(with: keys)
            found.check("signature", true, "the signature is of a key of \(provider.name).")
            describe(read, provider, &found)
        } catch {
            found.check("signature", false, "the assertion cannot be verified: \(error).")
        }
        found.conclude("A valid assertion of \(provider.name)\(found.subject?["nameID"]?.stringValue.map { " for \($0)" } ?? "").")
        return found
    }

    private func describe(_ assertion: SAMLAssertion, _ provider: IdentityProvider, _ found: inout Inspection) {
        let now = cloud.clock.now
        let ends = assertion.confirmations.compactMap(\.notOnOrAfter) + [assertion.conditions?.notOnOrAfter].compactMap(\.self)
        if let end = ends.min() {
            let isOver = isExpired(end, issued: assertion.issued)
            found.check("times", !isOver, "the assertion \(isOver ? "expired" : "expires") at \(end.iso8601); it is \(self.now).")
        }
        if let start = assertion.conditions?.notBefore, start > now {
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
