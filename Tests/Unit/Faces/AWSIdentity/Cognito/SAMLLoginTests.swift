import Calls
import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("Identity pools: logins at SAML providers")
struct SAMLLoginTests {
    private typealias Provider = ForeignSAMLProvider

    private func call(_ operation: String, _ members: JSONObject, at sts: STSSandbox) async throws -> PoolAnswer {
        let face = IdentityPoolsFace(
            authenticator: Authenticator(cloud: sts.cloud),
            issuers: ForeignIssuers(cloud: sts.cloud) { url in try sts.issuers.answer(url) })
        let fields: HTTPFields = [.amazonTarget: "AWSCognitoIdentityService." + operation]
        let call = Call(.post, "/", fields, body: ByteBuffer(string: JSONValue.object(members).serialized()), cloud: sts.cloud)
        let response = await face.respond(to: call)
        return PoolAnswer(try await FaceAnswer(response, call.entry(status: Int(response.status.code))))
    }

    private func run(_ test: (STSSandbox) async throws -> Void) async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            try await sts.cloud.edit { directory in
                var pool = IdentityPool(account: STSSandbox.account, id: PoolSandbox.pool, name: "saml")
                pool.samlProviders = [Provider.trustARN]
                directory.put(.identityPool(.pool(pool)))
            }
            try await test(sts)
        }
    }

    @Test("C7: a signed response has one identity, and another key's has none")
    func responses() async throws {
        try await run { sts async throws in
            func identity(_ response: String) async throws -> PoolAnswer {
                let logins: JSONValue = .object([Provider.trustARN: .string(response)])
                return try await call("GetId", ["IdentityPoolId": .string(PoolSandbox.pool), "Logins": logins], at: sts)
            }
            let first = try await identity(Provider(sts).signed())
            #expect(first.status == 200, "\(first.answer.text)")
            let second = try await identity(Provider(sts).signed())
            #expect(second["IdentityId"] == first["IdentityId"])
            let forged = try await identity(Provider(sts).signed(with: Provider.otherKey))
            #expect(forged.refusal.hasPrefix("NotAuthorizedException Invalid login token. "))
        }
    }

    @Test("C10, C18: the provider names the role, and the classic flow is refused")
    func roles() async throws {
        try await run { sts async throws in
            let logins: JSONValue = .object([Provider.trustARN: .string(try Provider(sts).signed())])
            let found = try await call("GetId", ["IdentityPoolId": .string(PoolSandbox.pool), "Logins": logins], at: sts)
            let id = try #require(found["IdentityId"])
            let classic = try await call("GetOpenIdToken", ["IdentityId": id, "Logins": logins], at: sts)
            #expect(
                classic.refusal == "InvalidParameterException Basic (classic) flow is not supported with SAML, please use enhanced flow.")
            // The role trusts the provider, but not identity pools.
            let credentials = try await call("GetCredentialsForIdentity", ["IdentityId": id, "Logins": logins], at: sts)
            #expect(credentials.refusal.hasPrefix("InvalidIdentityPoolConfigurationException"))
            let decision = try #require(credentials.answer.journal.decisions.first)
            #expect(decision.resource == STSSandbox.arn("staff"))
            #expect(!decision.allowed)
        }
    }
}
