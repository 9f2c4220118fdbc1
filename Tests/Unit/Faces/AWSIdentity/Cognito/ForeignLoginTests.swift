import Cloud
import Directory
import Federation
import Fixtures
import Testing
import WireFormats

@testable import AWSIdentityFaces
@testable import Tokens

@Suite("Identity pools: logins at external issuers")
struct ForeignLoginTests {
    private static let issuer = "https://elsewhere.example"
    private static let key = "elsewhere.example"

    private func run(_ test: (PoolSandbox) async throws -> Void) async throws {
        try await PoolSandbox.run { pools async throws in
            try await pools.cloud.edit { directory in
                let trust = OpenIDConnectTrust(account: PoolSandbox.account, url: Self.issuer, clientIDs: ["app"])
                directory.put(.trust(trust))
                _ = try directory.updateIdentityPool(PoolSandbox.pool, in: PoolSandbox.account) { pool in
                    pool.openIDConnectProviders.append(trust.arn)
                }
            }
            try await test(pools)
        }
    }

    private func answer(_ key: SigningKey, _ more: JSONObject = [:], at pools: PoolSandbox) async throws -> PoolAnswer {
        let now = pools.cloud.clock.now.seconds
        var claims: JSONObject = [
            "iss": .string(Self.issuer), "sub": "person-1", "aud": "app", "iat": .integer(now), "exp": .integer(now + 600),
        ]
        for (name, value) in more.members { claims[name] = value }
        let token = try JSONWebToken.sign(claims: claims, key: key)
        return try await pools.call("GetId", ["IdentityPoolId": .string(PoolSandbox.pool), "Logins": [Self.key: .string(token)]])
    }

    @Test("C7: are verified with the keys that the issuer publishes")
    func published() async throws {
        try await run { pools async throws in
            let key = try SigningKey.generate(algorithm: .rs256, created: .fill)
            let other = try SigningKey.generate(algorithm: .rs256, created: .fill)
            pools.stub.publish([try key.jsonWebKey.json], of: Self.issuer)
            let good = try await answer(key, at: pools)
            #expect(good.status == 200, "\(good.answer.text)")
            #expect(
                try await answer(other, at: pools).refusal == "NotAuthorizedException Invalid login token. Couldn't verify signed token.")
            let unlisted = "NotAuthorizedException Token is not from a supported provider of this identity pool."
            #expect(try await answer(key, ["aud": "other"], at: pools).refusal == unlisted)
            // The authorized party counts in place of the audience.
            #expect(try await answer(key, ["azp": "other"], at: pools).refusal == unlisted)
        }
    }

    @Test("C7: are refused with another algorithm than RSA, and of an issuer that does not answer")
    func refused() async throws {
        try await run { pools async throws in
            let refusal = "NotAuthorizedException Invalid login token. Couldn't verify signed token."
            let key = try SigningKey.generate(algorithm: .rs256, created: .fill)
            #expect(try await answer(key, at: pools).refusal == refusal)
            let curve = try SigningKey.generate(algorithm: .es256, created: .fill)
            pools.stub.publish([try curve.jsonWebKey.json], of: Self.issuer)
            #expect(try await answer(curve, at: pools).refusal == refusal)
        }
    }
}
