import Testing
import Tokens
import WireFormats

@testable import Federation

@Suite("The cause of a refused web identity")
struct WebIdentityCauseTests {
    @Test("says that the token ends with a line break, as files of tokens do", arguments: ["a.b.c\n", "a.b.c\r\n"])
    func lineBreak(token: String) {
        #expect(WebIdentityError.notAToken(.invalidEncoding).defect(of: token)?.hasPrefix("the token ends with a line break") == true)
    }

    @Test("is another one for other tokens, and for other errors")
    func others() {
        #expect(WebIdentityError.notAToken(.notThreeParts).defect(of: "a.b") == "the token has not three parts.")
        #expect(WebIdentityError.noVerificationKey.defect(of: "a.b.c\n") == WebIdentityError.noVerificationKey.cause)
        #expect(WebIdentityError.notAToken(nil).defect(of: "a") == nil)
        #expect(
            WebIdentityError.unknownIssuer("https://a.example").defect(of: "a.b.c")
                == "no identity provider that is trusted here has the issuer \"https://a.example\".")
    }
}
