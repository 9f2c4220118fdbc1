import Directory
import Testing
import WireFormats

@testable import Federation

@Suite("The origin identity of a session")
struct OriginIdentityTests {
    private static let claims: JSONObject = ["iss": "https://login.example/a", "sub": "ann", "email": "mallory@example.com"]

    private func keys(_ mappings: [ContextProvider.Mapping]) -> [SessionCredentials.Claim] {
        let context = ContextProvider(
            mappings: mappings, subjectSourceKey: "sub", subjectTypeValue: "user", subjectTypeSourceKey: nil)
        return OriginIdentity.keys(of: Self.claims, context, providerARN: "arn:aws:iam::000000000000:oidc-provider/login.example/a")
    }

    @Test("has the subject, its type, its issuer without scheme, and the provider")
    func identity() {
        #expect(
            keys([]) == [
                .init(key: "aws:OriginIdentity/Subject", values: ["ann"]),
                .init(
                    key: "aws:OriginIdentity/FederatedProviderArn", values: ["arn:aws:iam::000000000000:oidc-provider/login.example/a"]),
                .init(key: "aws:OriginIdentity/Issuer", values: ["login.example/a"]),
                .init(key: "aws:OriginIdentity/SubjectType", values: ["user"]),
            ])
    }

    @Test(
        "is not replaced by a mapped claim",
        arguments: ["Subject", "subject", "FederatedProviderArn", "Issuer", "SubjectType", "aws:OriginIdentity/Subject"])
    func mapping(target: String) {
        let identity = keys([])
        let mapped = keys([.init(source: "email", target: target)])
        #expect(Array(mapped.prefix(identity.count)) == identity)
        #expect(
            mapped.dropFirst(identity.count) == [
                .init(key: "aws:TransactionContext/IdentityProvider/" + target, values: ["mallory@example.com"])
            ])
    }

    @Test("names a mapped claim without a target by the claim")
    func withoutTarget() {
        #expect(
            keys([.init(source: "email", target: nil)]).last
                == .init(key: "aws:TransactionContext/IdentityProvider/email", values: ["mallory@example.com"]))
    }
}
