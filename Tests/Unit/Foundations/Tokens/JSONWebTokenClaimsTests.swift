import Testing
import Tokens
import WireFormats

@Suite("The claims of tokens")
struct JSONWebTokenClaimsTests {
    @Test(
        "name the audiences by a text or a list",
        arguments: [
            ([:], []), (["aud": "a"], ["a"]), (["aud": ["a", "b"]], ["a", "b"]), (["aud": ["a", 1]], ["a"]), (["aud": 1], []),
            (["aud": []], []),
        ] as [(JSONObject, [String])])
    func audiences(claims: JSONObject, expected: [String]) {
        #expect(claims.audiences == expected)
    }
}
