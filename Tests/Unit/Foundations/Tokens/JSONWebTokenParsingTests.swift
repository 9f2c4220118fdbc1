import Testing
import Tokens
import WireFormats

/// A text that is not a token, and the expected error.
struct RefusedToken: Sendable {
    var text: String
    var error: JSONWebTokenError

    init(_ text: String, _ error: JSONWebTokenError) {
        self.text = text
        self.error = error
    }

    /// Creates a token with this header, empty claims and a signature of three bytes.
    init(header: String, _ error: JSONWebTokenError) {
        self.init("\(Array(header.utf8).base64url).e30.AAAA", error)
    }
}

@Suite("The parser of JSON Web Tokens")
struct JSONWebTokenParsingTests {
    @Test("Reads header, claims and signed bytes")
    func reads() throws {
        let header = Array(#"{"typ":"JWT","kid":"k1","alg":"RS256","other":[1]}"#.utf8).base64url
        let token = try JSONWebToken(parsing: "\(header).\(PublishedTokens.payload).AQID")
        #expect(token.algorithm == .rs256)
        #expect(token.keyID == "k1")
        #expect(token.header["other"] == [1])
        #expect(token.claims == ["iss": "joe", "exp": 1_300_819_380, "http://example.com/is_root": true])
        #expect(token.signature == [1, 2, 3])
        #expect(token.signingInput == Array("\(header).\(PublishedTokens.payload)".utf8))
    }

    @Test(
        "Refuses other algorithms and names them",
        arguments: [
            "none", "None", "nOnE", "HS256", "HS384", "HS512", "ED25519", "Ed448", "EDDSA", "ES256K", "PS128", "rs256", "RS256 ",
            "RSA-OAEP", "",
        ])
    func otherAlgorithms(name: String) {
        let refused = RefusedToken(header: #"{"alg":"\#(name)"}"#, .unsupportedAlgorithm(name))
        #expect(throws: refused.error) { try JSONWebToken(parsing: refused.text) }
    }

    @Test("Refuses an unsigned token with the algorithm none")
    func unsigned() {
        let header = Array(#"{"alg":"none"}"#.utf8).base64url
        #expect(throws: JSONWebTokenError.unsupportedAlgorithm("none")) { try JSONWebToken(parsing: "\(header).e30.") }
    }

    @Test(
        "Refuses headers that are not a JSON object of strings",
        arguments: [
            RefusedToken(header: "", .invalidHeader), RefusedToken(header: "[]", .invalidHeader),
            RefusedToken(header: "{}", .invalidHeader),
            RefusedToken(header: #"{"alg":"RS256"} x"#, .invalidHeader), RefusedToken(header: #"{"alg":null}"#, .invalidHeader),
            RefusedToken(header: #"{"alg":["RS256"]}"#, .invalidHeader),
            RefusedToken(header: #"{"alg":"none","alg":"RS256"}"#, .invalidHeader),
            RefusedToken(header: #"{"alg":"RS256","kid":1}"#, .invalidHeader),
            RefusedToken(header: #"{"alg":"RS256","typ":{}}"#, .invalidHeader),
            RefusedToken(header: #"{"alg":"RS256","crit":["exp"]}"#, .criticalExtension),
            RefusedToken(header: #"{"alg":"RS256","crit":["b64"],"b64":false}"#, .criticalExtension),
            RefusedToken(header: #"{"alg":"RS256","crit":[]}"#, .criticalExtension),
        ])
    func headers(_ refused: RefusedToken) {
        #expect(throws: refused.error) { try JSONWebToken(parsing: refused.text) }
    }

    private static let header = "eyJhbGciOiJSUzI1NiJ9"

    @Test(
        "Refuses text that is not three parts of canonical base64url",
        arguments: [
            RefusedToken("", .notThreeParts), RefusedToken("abc", .notThreeParts), RefusedToken("\(header).e30", .notThreeParts),
            RefusedToken("\(header).e30.AAAA.", .notThreeParts), RefusedToken("a.b.c.d.e", .notThreeParts),
            RefusedToken("..", .invalidHeader), RefusedToken(".e30.AAAA", .invalidHeader),
            RefusedToken("\(header)..AAAA", .invalidClaims),
            RefusedToken("\(header)=.e30.AAAA", .invalidEncoding), RefusedToken("\(header).e30=.AAAA", .invalidEncoding),
            RefusedToken("\(header).e30.AAA=", .invalidEncoding), RefusedToken("\(header).e30.AA==", .invalidEncoding),
            RefusedToken("\(header).e30.AA+A", .invalidEncoding), RefusedToken("\(header).e30.AA/A", .invalidEncoding),
            RefusedToken("\(header).e31.AAAA", .invalidEncoding), RefusedToken("\(header).e30.AB", .invalidEncoding),
            RefusedToken("\(header).e30.AAB", .invalidEncoding), RefusedToken("\(header).e30.A", .invalidEncoding),
            RefusedToken(" \(header).e30.AAAA", .invalidEncoding), RefusedToken("\(header).e30.AAAA\n", .invalidEncoding),
            RefusedToken("\(header).e3\u{301}0.AAAA", .invalidEncoding), RefusedToken("\(header).\u{0}.AAAA", .invalidEncoding),
        ])
    func parts(_ refused: RefusedToken) {
        #expect(throws: refused.error) { try JSONWebToken(parsing: refused.text) }
    }

    @Test(
        "Refuses claims that are not a JSON object",
        arguments: [
            "", "[]", "null", "1", #""text""#, #"{"a":1,"a":2}"#, "{", #"{"a":1}}"#, "{}\u{0}",
        ])
    func claims(text: String) {
        let token = "\(Self.header).\(Array(text.utf8).base64url).AAAA"
        #expect(throws: JSONWebTokenError.invalidClaims) { try JSONWebToken(parsing: token) }
    }

    @Test("Parses tokens up to the limit of length and none beyond it")
    func length() throws {
        let start = "\(Self.header).e30."
        // Four characters are three bytes, so the encoding with this filling is canonical.
        let filling = String(repeating: "A", count: (JSONWebToken.longest - start.utf8.count) / 4 * 4)
        #expect(try JSONWebToken(parsing: start + filling).signature.count == filling.utf8.count / 4 * 3)
        #expect(throws: JSONWebTokenError.tooLong) { try JSONWebToken(parsing: start + filling + "AAAA") }
        #expect(throws: JSONWebTokenError.tooLong) { try JSONWebToken(parsing: String(repeating: ".", count: 1_000_000)) }
    }

    @Test("Refuses every truncation of a valid token, or finds it unsigned")
    func cuts() throws {
        let key = try #require(JSONWebKey(PublishedTokens.rsaKey)).key
        for count in 0..<PublishedTokens.rs256.utf8.count {
            #expect(throws: JSONWebTokenError.self) {
                try JSONWebToken(parsing: String(PublishedTokens.rs256.prefix(count))).verify(with: key)
            }
        }
    }
}
