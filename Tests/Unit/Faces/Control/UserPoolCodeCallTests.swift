import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import ControlFace

@Suite("Codes of user pools in the control API")
struct UserPoolCodeCallTests {
    private static let seed = """
        {accounts: [{id: "000000000000", userPools: [
          {id: "us-east-1_a", name: "a", people: [{username: "ann", attributes: {email: "ann@company.example"}}, {username: "bob"}]},
          {id: "us-east-1_b", name: "b"},
        ]}]}
        """

    @Test("C30: are listed with their destination, and limited by pool and person")
    func lists() async throws {
        try await withCloud(Self.seed) { cloud async throws in
            let control = ControlSandbox(cloud: cloud)
            let pool = try #require(cloud.directory.userPools.pool("us-east-1_a"))
            let ann = try #require(cloud.directory.userPools.user(named: "ann", in: pool))
            let now = cloud.clock.now
            let code = UserPoolCode(
                purpose: .password, attribute: "email", destination: "ann@company.example", code: "123456", sent: now,
                expires: now + .seconds(3600))
            _ = try await cloud.edit { directory in
                try directory.changeUser(sub: ann.sub, in: pool.id, at: now) { $0.codes = [code] }
            }
            let all = try await control.send(.get, "/user-pools/codes")
            #expect(all.status == 200)
            let listed = try #require(all.json["codes"]?.arrayValue?.first)
            #expect(listed["code"] == "123456")
            #expect(listed["user"] == "ann")
            #expect(listed["medium"] == "EMAIL")
            #expect(listed["purpose"] == "password")
            for (query, count) in [("pool=us-east-1_a&user=ann", 1), ("user=bob", 0), ("pool=us-east-1_b", 0), ("user=none", 0)] {
                #expect(try await control.send(.get, "/user-pools/codes?\(query)").json["codes"]?.arrayValue?.count == count)
            }
            #expect(try await control.send(.get, "/user-pools/codes?name=ann").status == 400)
        }
    }
}
