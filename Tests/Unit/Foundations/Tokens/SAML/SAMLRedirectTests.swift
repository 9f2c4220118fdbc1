import Cryptography
import Testing
import Tokens
import WireFormats

@Suite("SAML messages in queries")
struct SAMLRedirectTests {
    private static let key = Result { try SigningKey.generate(created: Timestamp(seconds: 0)) }
    private static let message = XMLElement("samlp:AuthnRequest", in: SAML.protocol, attributes: ["ID": "_1"], text: "é+/=")

    private func read(_ query: String, _ kind: SAMLRedirect.Kind = .request, limit: Int = 10_000) throws -> SAMLRedirect {
        try SAMLRedirect(RawQuery(query), kind: kind, limit: limit)
    }

    @Test("are parsed as they were serialized, and their signature verifies", arguments: [nil, "", "https://sp.example/?a=b&c=d e"])
    func roundTrips(relayState: String?) throws {
        let key = try Self.key.get()
        for kind in [SAMLRedirect.Kind.request, .response] {
            let query = try SAMLRedirect.query(kind, Self.message, relayState: relayState, key: XMLSigningKey(key))
            let read = try read(query, kind)
            #expect(read.message == Self.message.serialized())
            #expect(read.relayState == relayState)
            try read.verify(with: [key.verificationKey])
            #expect(throws: SAMLRedirect.Failure.wrongSignature) { try read.verify(with: []) }
        }
        let unsigned = try read(SAMLRedirect.query(.request, Self.message, relayState: relayState, key: nil))
        #expect(throws: SAMLRedirect.Failure.unsigned) { try unsigned.verify(with: [key.verificationKey]) }
    }

    @Test("are verified as the sender escaped them")
    func escapes() throws {
        let key = try Self.key.get()
        let text = Self.message.serialized().deflated.base64
        // Lowercase escapes, and other parameters between.
        let escaped = percentEncoded(text).replacing("%2B", with: "%2b").replacing("%2F", with: "%2f").replacing("%3D", with: "%3d")
        let algorithm = "http://www.w3.org/2001/04/xmldsig-more%23rsa-sha256"
        let signed = "SAMLRequest=\(escaped)&RelayState=a%20b&SigAlg=\(algorithm)"
        let signature = try RSAPrivateKey(pem: key.pem).sign(Array(signed.utf8)).base64
        let query = "x=y&RelayState=a%20b&SigAlg=\(algorithm)&SAMLRequest=\(escaped)&Signature=\(percentEncoded(signature))"
        try read(query).verify(with: [key.verificationKey])
        let respelled = try read(query.replacing("a%20b", with: "a+b"))
        #expect(respelled.relayState == "a b")
        #expect(throws: SAMLRedirect.Failure.wrongSignature) { try respelled.verify(with: [key.verificationKey]) }
    }

    @Test("a changed message, state or algorithm is refused")
    func changes() throws {
        let key = try Self.key.get()
        let query = try SAMLRedirect.query(.request, Self.message, relayState: "state", key: XMLSigningKey(key))
        let other = try SAMLRedirect.query(.request, XMLElement("x", in: ""), relayState: "state", key: XMLSigningKey(key))
        let message = try #require(other.split(separator: "&").first.map(String.init))
        let rest = query.split(separator: "&").dropFirst().joined(separator: "&")
        let changes: [String] = [
            message + "&" + rest, query.replacing("=state", with: "=other"), query.replacing("RelayState=state&", with: ""),
        ]
        for changed in changes {
            let read = try read(changed)
            #expect(throws: SAMLRedirect.Failure.wrongSignature) { try read.verify(with: [key.verificationKey]) }
        }
        let weak = try read(query.replacing("rsa-sha256", with: "rsa-sha384"))
        #expect(throws: SAMLRedirect.Failure.wrongSignature) { try weak.verify(with: [key.verificationKey]) }
        let hmac = try read(query.replacing("rsa-sha256", with: "hmac-sha256"))
        #expect(throws: SAMLRedirect.Failure.forbiddenAlgorithm("http://www.w3.org/2001/04/xmldsig-more#hmac-sha256")) {
            try hmac.verify(with: [key.verificationKey])
        }
    }

    @Test("SHA-1 is accepted only if it is allowed")
    func sha1() throws {
        let key = try Self.key.get()
        let plain = try SAMLRedirect.query(.request, Self.message, relayState: nil, key: nil)
        let signed = plain + "&SigAlg=" + percentEncoded(XMLSignatureAlgorithm.rsaSHA1.rawValue)
        let signature = try RSAPrivateKey(pem: key.pem).sign(Array(signed.utf8), hash: .sha1).base64
        let read = try read(signed + "&Signature=" + percentEncoded(signature))
        #expect(throws: SAMLRedirect.Failure.forbiddenAlgorithm(XMLSignatureAlgorithm.rsaSHA1.rawValue)) {
            try read.verify(with: [key.verificationKey])
        }
        try read.verify(with: [key.verificationKey], allowingSHA1: true)
    }

    @Test("parameters that are missing, repeated, too long or not compressed are refused")
    func malformed() throws {
        let query = try SAMLRedirect.query(.request, Self.message, relayState: "s", key: nil)
        for bad in [
            "", "SAMLResponse=x", "SAMLRequest=", "SAMLRequest=%GG", "SAMLRequest=aGVsbG8%3D", query + "&" + query,
            query + "&RelayState=t", query + "&%53AMLRequest=x", query + "&SAMLEncoding=other",
        ] {
            #expect(throws: SAMLRedirect.Failure.malformed, "\(bad)") { try read(bad) }
        }
        #expect(throws: SAMLRedirect.Failure.malformed) { try read(query, limit: 10) }
        #expect(throws: SAMLRedirect.Failure.malformed) { try read(query, .response) }
        _ = try read(query + "&SAMLEncoding=urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE")
    }
}
