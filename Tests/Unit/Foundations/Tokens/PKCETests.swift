import Testing
import Tokens

@Suite("Proof Key for Code Exchange")
struct PKCETests {
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    @Test("Matches the example of RFC 7636, appendix B")
    func published() {
        #expect(PKCE.isVerifier(Self.verifier))
        #expect(PKCE.isChallenge(Self.challenge))
        #expect(PKCE.matches(verifier: Self.verifier, challenge: Self.challenge))
    }

    @Test("Refuses other verifiers, the plain method and padded challenges")
    func refuses() {
        #expect(!PKCE.matches(verifier: Self.verifier.replacingLast(with: "l"), challenge: Self.challenge))
        #expect(!PKCE.matches(verifier: Self.challenge, challenge: Self.challenge))
        #expect(!PKCE.matches(verifier: Self.verifier, challenge: Self.challenge + "="))
        #expect(!PKCE.matches(verifier: Self.verifier, challenge: ""))
    }

    @Test("A verifier has 43 to 128 unreserved characters")
    func verifiers() {
        #expect(PKCE.isVerifier(String(repeating: "~", count: 43)))
        #expect(PKCE.isVerifier(String(repeating: "a", count: 128)))
        #expect(!PKCE.isVerifier(String(repeating: "a", count: 42)))
        #expect(!PKCE.isVerifier(String(repeating: "a", count: 129)))
        #expect(!PKCE.isVerifier(Self.verifier.replacingLast(with: "+")))
        #expect(!PKCE.isVerifier(Self.verifier.replacingLast(with: "é")))
    }

    @Test("A challenge is 32 bytes of base64url", arguments: ["", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-c", "a b", "AAAA"])
    func challenges(text: String) {
        #expect(!PKCE.isChallenge(text))
    }
}

extension String {
    fileprivate func replacingLast(with character: Character) -> String {
        dropLast() + String(character)
    }
}
