import Foundation
import Testing
import WireFormats

@testable import Tokens

/// A test of Project Wycheproof's `json_web_signature`, with its key.
struct WycheproofSignature: Sendable, CustomTestStringConvertible {
    var key: JSONObject
    var text: String
    var isValid: Bool
    var testDescription: String

    /// Tests whose result differs from their comment, and the result here.
    private static let exceptions: [Int64: Bool] = [
        // Signed with PS384, for a key with the algorithm PS256.
        346: false, 350: false,
        // The comment is about padding that is not there: the text is that of test 357, which is valid.
        367: true, 370: true,
        // The text has a question mark, which is not in the base64url alphabet (RFC 7515 section 2).
        372: false, 373: false,
    ]

    static let all = Result { () throws -> [WycheproofSignature] in
        let url = try #require(Bundle.module.url(forResource: "Wycheproof/json_web_signature", withExtension: "json"))
        let groups = try #require(try JSONValue(parsing: Array(Data(contentsOf: url)))["testGroups"]?.arrayValue)
        return try groups.flatMap { group in
            let key = try #require(group["key"]?.objectValue)
            return try #require(group["tests"]?.arrayValue).map { test in
                let number = try #require(test["tcId"]?.integerValue)
                return WycheproofSignature(
                    key: key, text: try #require(test["jws"]?.stringValue), isValid: exceptions[number] ?? (test["result"] == "valid"),
                    testDescription: "\(group["comment"]?.stringValue ?? "") \(test.serialized().prefix(80))")
            }
        }
    }

    /// Returns whether the key verifies the signature.
    func isAccepted() -> Bool {
        let algorithms = key["alg"].map { name in Set(SignatureAlgorithm.allCases.filter { $0.rawValue == name.stringValue }) }
        // The payloads are not claims.
        let token = try? JSONWebToken(parsing: text, accepting: algorithms ?? SignatureAlgorithm.asymmetric, claims: { _ in [:] })
        guard let token else { return false }
        if key["kty"] == "oct" {
            guard let secret = key["k"]?.stringValue.flatMap({ [UInt8](base64url: $0) }) else { return false }
            return (try? token.verify(secret: secret)) != nil
        }
        guard let key = JSONWebKey(key) else { return false }
        return (try? token.verify(with: key.key)) != nil
    }
}

@Suite("Project Wycheproof's JSON Web Signatures")
struct WycheproofSignatureTests {
    @Test("are verified if they are valid, and refused if they are not")
    func vectors() throws {
        let tests = try WycheproofSignature.all.get()
        #expect(tests.count { $0.isValid } > 40)
        #expect(tests.count { !$0.isValid } > 150)
        for test in tests { #expect(test.isAccepted() == test.isValid, "\(test.testDescription)") }
    }
}
