import Fixtures
import GatewayFace
import RequestSigning
import Testing
import WireFormats

@Suite("Keys of ciphertexts")
struct GatewayUsedKeyTests {
    private static let mine = GatewayOfATest.arn("kms:@:key/mine")
    private static let others = GatewayOfATest.arn("kms:@:key/others")

    @Test("G40: the plaintext of a key that the caller may not use is kept back", arguments: ["{}", "{\"KeyId\":\"mine\"}"])
    func decrypt(_ body: String) async throws {
        for (key, status) in [(Self.mine, 200), (Self.others, 400)] {
            let statements =
                GatewayOfATest.allow("kms:*", "*") + ", {Effect: \"Deny\", Action: \"kms:Decrypt\", Resource: \"\(Self.others)\"}"
            try await GatewayOfATest.run(
                statements, answer: { _ in .json(["KeyId": .string(key), "Plaintext": "c2VjcmV0"]) },
                { test async throws in
                    let answer = try await test.send(.json("kms", "TrentService.Decrypt", body, version: "1.1"))
                    #expect(answer.status == status)
                    #expect(answer.body.contains(bytesOf: "c2VjcmV0") == (status == 200))
                    #expect(test.upstream.orders.count == 1)
                })
        }
    }

    @Test("a policy that names only the key allows a ciphertext that names it, whether the caller names it or not")
    func policyOfOneKey() async throws {
        let answers: [(JSONValue, Int)] = [
            (["KeyId": .string(Self.mine), "Plaintext": "c2VjcmV0"], 200), (["KeyId": .string(Self.others), "Plaintext": "c2VjcmV0"], 400),
            (["Plaintext": "c2VjcmV0"], 400),
        ]
        for (document, status) in answers {
            try await GatewayOfATest.run(
                GatewayOfATest.allow("kms:Decrypt", Self.mine), answer: { _ in .json(document) },
                { test async throws in
                    let answer = try await test.send(.json("kms", "TrentService.Decrypt", "{}", version: "1.1"))
                    #expect(answer.status == status)
                    #expect(answer.body.contains(bytesOf: "c2VjcmV0") == (status == 200))
                    #expect(answer.journal.decisions.count == 1)
                })
        }
        // An error of the upstream is about no key.
        try await GatewayOfATest.run(
            GatewayOfATest.allow("kms:Decrypt", Self.mine),
            answer: { _ in .json(["__type": "InvalidCiphertextException"], status: .badRequest) },
            { test async throws in
                let answer = try await test.send(.json("kms", "TrentService.Decrypt", "{}", version: "1.1"))
                #expect(answer.status == 400)
                #expect(answer.body.contains(bytesOf: "InvalidCiphertextException"))
            })
    }

    @Test("a ciphertext of a key that the caller may not use is not encrypted again")
    func reEncrypt() async throws {
        try await GatewayOfATest.run(
            GatewayOfATest.allow("kms:*", Self.mine),
            answer: { _ in .json(["SourceKeyId": .string(Self.others), "KeyId": .string(Self.mine), "CiphertextBlob": "c2VjcmV0"]) },
            { test async throws in
                let body = "{\"SourceKeyId\":\"mine\",\"DestinationKeyId\":\"mine\"}"
                let answer = try await test.send(.json("kms", "TrentService.ReEncrypt", body, version: "1.1"))
                #expect(answer.status == 400)
                #expect(!answer.body.contains(bytesOf: "c2VjcmV0"))
            })
    }

    @Test("G40: the policy of the key that was used decides", arguments: ["{}", "{\"KeyId\":\"mine\"}"])
    func policies(_ body: String) async throws {
        let ann = "arn:aws:iam::\(GatewayOfATest.account):user/ann"
        func policy(_ effect: String) -> String {
            """
            {"Version":"2012-10-17","Statement":[{"Effect":"\(effect)","Principal":{"AWS":"\(ann)"},"Action":"kms:*","Resource":"*"}]}
            """
        }
        for (effect, status) in [("Allow", 200), ("Deny", 400)] {
            try await GatewayOfATest.run(
                policies: [Self.mine: policy("Allow"), Self.others: policy(effect)],
                answer: { _ in .json(["KeyId": .string(Self.others), "Plaintext": "c2VjcmV0"]) },
                { test async throws in
                    let answer = try await test.send(.json("kms", "TrentService.Decrypt", body, version: "1.1"))
                    #expect(answer.status == status)
                    #expect(answer.body.contains(bytesOf: "c2VjcmV0") == (status == 200))
                    #expect(test.upstream.policies.lookUps.last == Self.others)
                })
        }
    }

    @Test("G40: an answer that does not name the key of a ciphertext is decided like one for any key")
    func unnamed() async throws {
        for (statements, status) in [(GatewayOfATest.allow("kms:*", "*"), 200), (GatewayOfATest.allow("kms:*", Self.mine), 400)] {
            try await GatewayOfATest.run(
                statements, answer: { _ in .json(["Plaintext": "c2VjcmV0"]) },
                { test async throws in
                    let answer = try await test.send(.json("kms", "TrentService.Decrypt", "{}", version: "1.1"))
                    #expect(answer.status == status)
                })
        }
    }
}
