import Fixtures
import Policy
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("User pools in seeds")
struct UserPoolSeedTests {
    private func seed(_ pools: String) throws -> Seed {
        let text = "{accounts: [{id: \"000000000000\", userPools: [\(pools)]}]}"
        return try SeedFile(name: "s", text: Array(text.utf8)).decode()
    }

    @Test("are parsed, with what verifies the passwords of their people in place of these")
    func reads() async throws {
        let decoded = try seed(
            """
            {id: "us-east-1_a", name: "p", usernameAttributes: ["email"], customAttributes: ["team"], clients: [{id: "app", name: "a"}],
             groups: [{name: "g", precedence: 1}], people: [{username: "ann@company.example", password: "Passw0rd!", groups: ["g"]}]}
            """)
        let cloud = try await Cloud.open(folder: nil, seeds: [decoded])
        let pools = cloud.directory.userPools
        let pool = try #require(pools.pool("us-east-1_a"))
        #expect(pool.account == "000000000000")
        #expect(pool.attribute("custom:team") != nil)
        #expect(pools.client("app")?.pool == pool.id)
        #expect(pools.group("g", in: pool.id)?.precedence == 1)
        let ann = try #require(pools.user(signingInAs: "ann@company.example", in: pool))
        #expect(ann.username == ann.sub)
        #expect(ann[attribute: "email"] == "ann@company.example")
        #expect(ann.password?.verifier.count == 384)
        let sub = ann.sub
        try await cloud.reset()
        #expect(cloud.directory.userPools.user(sub: sub, in: pool.id) != nil)
        await cloud.close()
    }

    @Test(
        "that are wrong are refused with the place",
        arguments: [
            (#"{id: "pool", name: "p"}"#, "accounts[0].userPools[0].id"),
            (
                #"{id: "us-east-1_a", name: "p", usernameAttributes: ["email"], aliasAttributes: ["email"]}"#,
                "accounts[0].userPools[0].aliasAttributes"
            ),
            (
                #"{id: "us-east-1_a", name: "p", people: [{username: "a", groups: ["none"]}]}"#, "accounts[0].userPools[0].people"
            ),
            (
                #"{id: "us-east-1_a", name: "p", clients: [{id: "c", name: "c", flows: ["NONE"]}]}"#,
                "accounts[0].userPools[0].clients[0].flows"
            ),
            (
                #"{id: "us-east-1_a", name: "p", triggers: {PreSignup: "http://localhost:8000/"}}"#, "accounts[0].userPools[0].triggers"
            ),
            (#"{id: "us-east-1_a", name: "p", devicesReplaceFactors: true}"#, "accounts[0].userPools[0].devicesReplaceFactors"),
            (#"{id: "us-east-1_a", name: "p", rememberDevices: "NEVER"}"#, "accounts[0].userPools[0].rememberDevices"),
            (#"{id: "us-east-1_a", name: "p", messageFactors: ["FAX"]}"#, "accounts[0].userPools[0].messageFactors"),
            (#"{id: "us-east-1_a", name: "p", triggers: {PreSignUp: "localhost"}}"#, "accounts[0].userPools[0].triggers"),
            (
                #"""
                {id: "us-east-1_a", name: "p",
                 triggers: {PreTokenGeneration: "http://localhost/", PreTokenGenerationV2: "http://localhost/"}}
                """#, "accounts[0].userPools[0].triggers"
            ),
        ])
    func refuses(pools: String, place: String) throws {
        let error = try #require(throws: SeedError.self) { try seed(pools) }
        #expect(error.place == place)
    }

    @Test("have functions by URL, with an ARN that is made up, or by ARN")
    func triggers() async throws {
        let arn = "arn:aws:lambda:us-east-1:000000000000:function:f"
        let decoded = try seed(
            #"{id: "us-east-1_a", name: "p", triggers: {PreSignUp: "http://localhost/", PreTokenGenerationV2: "\#(arn)"}}"#)
        let cloud = try await Cloud.open(folder: nil, seeds: [decoded])
        let pool = try #require(cloud.directory.userPools.pool("us-east-1_a"))
        let signUp = try #require(pool.trigger(.preSignUp))
        #expect(signUp.url == "http://localhost/")
        #expect(signUp.function == "arn:aws:lambda:us-east-1:000000000000:function:a-PreSignUp")
        let tokens = try #require(pool.trigger(.preTokenGeneration))
        #expect(tokens.function == arn)
        #expect(tokens.url == nil)
        #expect(tokens.version == .second)
        #expect(pool.trigger(.postConfirmation) == nil)
        await cloud.close()
    }

    @Test("and their apps are given once")
    func refusesTwice() throws {
        let error = try #require(throws: SeedError.self) {
            try seed(#"{id: "us-east-1_a", name: "p"}, {id: "us-east-1_a", name: "q"}"#)
        }
        #expect(error.place == "accounts[0].userPools[1].id")
        let one = try seed(#"{id: "us-east-1_a", name: "p"}"#)
        #expect(throws: SeedError.self) { try Seed.checkTogether([one, one]) }
    }
}
