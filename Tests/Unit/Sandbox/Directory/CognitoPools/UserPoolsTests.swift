import Testing
import WireFormats

@testable import Directory

@Suite("User pools in the directory")
struct UserPoolsTests {
    private static let time = Timestamp(seconds: 1_800_000_000)
    private static let pool = UserPool(id: "us-east-1_AbCdEf123", account: "111122223333", name: "people", created: time)

    private static func user(_ name: String, sub: String, email: String? = nil, isVerified: Bool = false) -> UserPoolUser {
        var user = UserPoolUser(pool: pool.id, sub: sub, username: name, status: .confirmed, created: time)
        user[attribute: "email"] = email
        if isVerified { user[attribute: "email_verified"] = "true" }
        return user
    }

    private static func directory(_ change: (inout UserPool) -> Void = { _ in }) -> Directory {
        var pool = pool
        change(&pool)
        var directory = Directory()
        directory.put(inUserPools: .pool(pool))
        return directory
    }

    @Test("C25: names of a pool follow from its identifier")
    func names() {
        #expect(Self.pool.region == "us-east-1")
        #expect(Self.pool.shortName == "AbCdEf123")
        #expect(Self.pool.arn == "arn:aws:cognito-idp:us-east-1:111122223333:userpool/us-east-1_AbCdEf123")
        #expect(Self.pool.issuer == "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_AbCdEf123")
        #expect(Self.pool.attributes.count == 20)
    }

    @Test(
        "Identifiers of pools have a region and a name",
        arguments: [
            ("us-east-1_AbCdEf123", true), ("eu-central-1_x", true), ("us-east-1", false), ("us-east-1_", false), ("a_b_c", false),
            ("bucket_name", false), ("us-east-1_a/b", false),
        ])
    func identifiers(text: String, isIdentifier: Bool) { #expect(UserPool.isIdentifier(text) == isIdentifier) }

    @Test("C35: people are found by username, sub and verified alias")
    func findsPeople() throws {
        var directory = Self.directory { $0.aliasAttributes = ["email"] }
        try directory.addUser(Self.user("alice", sub: "a", email: "alice@company.example"))
        let pool = Self.pool
        let withAlias = try #require(directory.userPools.pool(pool.id))
        #expect(directory.userPools.user(signingInAs: "alice", in: withAlias)?.sub == "a")
        #expect(directory.userPools.user(signingInAs: "a", in: withAlias)?.sub == "a")
        #expect(directory.userPools.user(signingInAs: "Alice", in: withAlias) == nil)
        #expect(directory.userPools.user(signingInAs: "alice@company.example", in: withAlias) == nil)
        try directory.changeUser(sub: "a", in: pool.id, at: Self.time) { $0[attribute: "email_verified"] = "true" }
        #expect(directory.userPools.user(signingInAs: "alice@company.example", in: withAlias)?.sub == "a")
    }

    @Test("C30: sign-up ends at the documented number of unconfirmed people, and administrators still create people")
    func mostUnconfirmed() throws {
        var directory = Self.directory()
        for number in 1..<Directory.mostUnconfirmed {
            var user = Self.user("user\(number)", sub: "sub\(number)")
            user.status = .unconfirmed
            directory.put(inUserPools: .user(user))
        }
        func person(_ name: String) -> UserPoolUser {
            var user = Self.user(name, sub: name)
            user.status = .unconfirmed
            return user
        }
        try directory.signUp(person("last"))
        #expect(throws: UserPoolRefusal.tooManyUnconfirmed(10_000)) { try directory.signUp(person("more")) }
        try directory.addUser(Self.user("invited", sub: "invited"))
        // Who confirms or is deleted makes room.
        try directory.changeUser(sub: "last", in: Self.pool.id, at: Self.time) { $0.status = .confirmed }
        try directory.signUp(person("next"))
        #expect(throws: UserPoolRefusal.tooManyUnconfirmed(10_000)) { try directory.signUp(person("more")) }
        try directory.deleteUser(sub: "next", in: Self.pool.id)
        try directory.signUp(person("more"))
        #expect(directory.userPools.unconfirmedCount(of: Self.pool.id) == 10_000)
        try directory.deleteUserPool(Self.pool.id)
        #expect(directory.userPools.unconfirmedCount(of: Self.pool.id) == 0)
    }

    @Test("C35: names are compared without regard to case where the pool says so")
    func foldsCase() throws {
        var directory = Self.directory { $0.isCaseSensitive = false }
        try directory.addUser(Self.user("alice", sub: "a"))
        let pool = try #require(directory.userPools.pool(Self.pool.id))
        #expect(directory.userPools.user(signingInAs: "ALICE", in: pool)?.sub == "a")
        #expect(throws: UserPoolRefusal.usernameExists) { try directory.addUser(Self.user("Alice", sub: "b")) }
    }

    @Test("C35: a username attribute and a verified alias belong to one person")
    func refusesSecondHolder() throws {
        var byMail = Self.directory { $0.usernameAttributes = ["email"] }
        try byMail.addUser(Self.user("a", sub: "a", email: "x@company.example"))
        #expect(throws: UserPoolRefusal.usernameExists) { try byMail.addUser(Self.user("b", sub: "b", email: "x@company.example")) }

        var byAlias = Self.directory { $0.aliasAttributes = ["email"] }
        try byAlias.addUser(Self.user("a", sub: "a", email: "x@company.example", isVerified: true))
        try byAlias.addUser(Self.user("b", sub: "b", email: "x@company.example"))
        #expect(throws: UserPoolRefusal.aliasExists("email")) {
            try byAlias.changeUser(sub: "b", in: Self.pool.id, at: Self.time) { $0[attribute: "email_verified"] = "true" }
        }
    }

    @Test("A pool is deleted with its clients, groups and people, unless it is protected")
    func deletesPools() throws {
        var directory = Self.directory { $0.isProtected = true }
        directory.put(inUserPools: .client(UserPoolClient(id: "c", pool: Self.pool.id, name: "app", created: Self.time)))
        try directory.addGroup(UserPoolGroup(pool: Self.pool.id, name: "g", created: Self.time))
        try directory.addUser(Self.user("alice", sub: "a"))
        #expect(throws: UserPoolRefusal.protectedPool) { try directory.deleteUserPool(Self.pool.id) }
        directory.put(inUserPools: .pool(Self.pool))
        try directory.deleteUserPool(Self.pool.id)
        #expect(directory.userPools.isEmpty)
        #expect(directory.userPools.client("c") == nil)
        #expect(directory.userPools.group("g", in: Self.pool.id) == nil)
        #expect(directory.userPools.user(sub: "a", in: Self.pool.id) == nil)
    }

    @Test("A deleted group leaves its members")
    func deletesGroups() throws {
        var directory = Self.directory()
        try directory.addGroup(UserPoolGroup(pool: Self.pool.id, name: "g", created: Self.time))
        var alice = Self.user("alice", sub: "a")
        alice.groups = ["g"]
        try directory.addUser(alice)
        try directory.deleteGroup("g", of: Self.pool.id)
        #expect(directory.userPools.user(sub: "a", in: Self.pool.id)?.groups.isEmpty == true)
    }

    @Test("Records survive the database, in the order of their names")
    func survives() throws {
        var directory = Self.directory()
        try directory.addGroup(UserPoolGroup(pool: Self.pool.id, name: "g", created: Self.time))
        try directory.addUser(Self.user("alice", sub: "a"))
        var records: [DirectoryRecord] = []
        for case .put(let record) in directory.changes { records.append(record) }
        var restored = Directory()
        for record in records.sorted(by: { $0.id.name < $1.id.name }) { restored.insert(record) }
        #expect(restored.userPools.user(signingInAs: "alice", in: Self.pool)?.sub == "a")
    }

    @Test(
        "C36: the role of the group with the least precedence is preferred",
        arguments: [
            ([(1, "r1"), (2, "r2")], "r1"), ([(2, "r2"), (1, "r1")], "r1"), ([(1, "r1"), (1, "r2")], nil), ([(1, "r1"), (1, "r1")], "r1"),
            ([(nil, "r1")], nil), ([], nil),
        ] as [([(Int?, String)], String?)])
    func prefersRoles(groups: [(Int?, String)], role: String?) {
        let groups = groups.map { precedence, role in
            var group = UserPoolGroup(pool: Self.pool.id, name: role, created: Self.time)
            (group.precedence, group.role) = (precedence, role)
            return group
        }
        #expect(UserPoolGroup.preferredRole(of: groups) == role)
    }

    @Test(
        "C28: the names of flows decide which ones a client has",
        arguments: [
            ([], ["REFRESH_TOKEN_AUTH", "USER_SRP_AUTH", "CUSTOM_AUTH"]), (["ALLOW_USER_PASSWORD_AUTH"], ["USER_PASSWORD_AUTH"]),
            (["ADMIN_NO_SRP_AUTH"], ["ADMIN_USER_PASSWORD_AUTH", "USER_SRP_AUTH", "REFRESH_TOKEN_AUTH"]),
            (["USER_PASSWORD_AUTH"], ["USER_PASSWORD_AUTH", "USER_SRP_AUTH", "REFRESH_TOKEN_AUTH"]),
            (["CUSTOM_AUTH_FLOW_ONLY"], ["CUSTOM_AUTH", "REFRESH_TOKEN_AUTH"]),
        ] as [([String], Set<String>)])
    func allowsFlows(names: [String], flows: Set<String>) {
        var client = UserPoolClient(id: "c", pool: Self.pool.id, name: "app", created: Self.time)
        client.flows = names
        let all = ["REFRESH_TOKEN_AUTH", "USER_SRP_AUTH", "CUSTOM_AUTH", "USER_PASSWORD_AUTH", "ADMIN_USER_PASSWORD_AUTH", "USER_AUTH"]
        #expect(Set(all.filter { client.allows($0) }) == flows)
    }

    @Test("C38: a flag in another case is the same flag")
    func foldsFlags() {
        var user = Self.user("alice", sub: "a", email: "alice@company.example")
        user[attribute: "email_verified"] = "True"
        #expect(user.isVerified("email"))
    }

    @Test(
        "C30: the first broken rule of the password policy is reported",
        arguments: [
            ("Sh0rt!", "Password not long enough"), ("lower-case-1", "Password must have uppercase characters"),
            ("UPPER-CASE-1", "Password must have lowercase characters"), ("No-Digits-Here", "Password must have numeric characters"),
            ("NoSymbols12", "Password must have symbol characters"), ("Passw0rd!", nil),
        ] as [(String, String?)])
    func checksPasswords(password: String, fault: String?) {
        #expect(UserPoolPasswordPolicy().fault(of: password) == fault)
    }
}
