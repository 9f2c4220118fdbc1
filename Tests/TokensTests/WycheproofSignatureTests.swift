import Foundation
import Testing
import WireFormats

@testable import Tokens

/// One test of Project Wycheproof's `json_web_signature`, with the key that it is for.
struct WycheproofSignature: Sendable, CustomTestStringConvertible {
    var key: JSONObject
    var text: String
    var isValid: Bool
    var testDescription: String

    static let all = Result { () throws -> [WycheproofSignature] in
        let url = try #require(Bundle.module.url(forResource: "Wycheproof/json_web_signature", withExtension: "json"))
        let groups = try #require(try JSONValue(parsing: Array(Data(contentsOf: url)))["testGroups"]?.arrayValue)
        return try groups.flatMap { group in
            let key = try #require(group["key"]?.objectValue)
            return try #require(group["tests"]?.arrayValue).map { test in
                WycheproofSignature(
                    key: key, text: try #require(test["jws"]?.stringValue), isValid: test["result"] == "valid",
                    testDescription: "\(group["comment"]?.stringValue ?? "") \(test.serialized().prefix(80))")
            }
        }
    }

    /// Whether somebody who has this key, as JSON Web Key, believes the signature.
    func isAccepted() -> Bool {
        let algorithms = key["alg"].map { name in Set(SignatureAlgorithm.allCases.filter { $0.rawValue == name.stringValue }) }
        // The payloads are no claims.
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

@Suite("The signatures of Project Wycheproof")
struct WycheproofSignatureTests {
    @Test("are believed where they are valid, and not where they are not")
    func vectors() throws {
        let tests = try WycheproofSignature.all.get()
        #expect(tests.count { $0.isValid } > 40 && tests.count { !$0.isValid } > 150)
        for test in tests { #expect(test.isAccepted() == test.isValid, "\(test.testDescription)") }
    }
}
