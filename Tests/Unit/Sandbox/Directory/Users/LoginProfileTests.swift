import Testing
import WireFormats

@testable import Directory

@Suite("Login profiles and passwords")
struct LoginProfileTests {
    private static let aws = "123456789012"
    private static let alibaba = "1234567890123456"
    private let time = Timestamp(seconds: 1_700_000_000)

    private func directory(_ account: String, _ policy: PasswordPolicy? = nil) -> Directory {
        var directory = Directory()
        var record = Account(id: account, name: "acme", rootKeys: [])
        record.passwordPolicy = policy
        record.alias = "Acme-Alias-1"
        directory.put(.account(record))
        directory.put(.user(User(account: account, name: "ann", path: "/", id: "U1")))
        return directory
    }

    private func profile(_ password: String) -> LoginProfile { LoginProfile(password: password, created: time, mustChange: false) }

    @Test("are created once, changed and deleted", arguments: [aws, alibaba])
    func lifecycle(account: String) throws {
        var directory = directory(account)
        #expect(throws: LoginProfileRefusal.noSuchUser("bob")) {
            try directory.createLoginProfile(profile("Password-1"), for: "bob", in: account)
        }
        #expect(throws: LoginProfileRefusal.noSuchProfile(user: "ann")) { try directory.deleteLoginProfile(of: "ANN", in: account) }
        try directory.createLoginProfile(profile("Password-1"), for: "ann", in: account)
        #expect(throws: LoginProfileRefusal.profileAlreadyExists(user: "ann")) {
            try directory.createLoginProfile(profile("Password-2"), for: "ANN", in: account)
        }
        let changed = try directory.updateLoginProfile(of: "ann", in: account, password: "Password-2", at: time) { $0.mustChange = true }
        #expect(changed.password == "Password-2")
        #expect(changed.mustChange)
        #expect(changed.earlier == ["Password-1"])
        #expect(throws: LoginProfileRefusal.wrongPassword) {
            try directory.changePassword(of: "ann", in: account, from: "Password-1", to: "Password-3", at: time)
        }
        try directory.changePassword(of: "ann", in: account, from: "Password-2", to: "Password-3", at: time)
        let after = directory.user("ann", in: account)?.user.loginProfile
        #expect(after?.password == "Password-3")
        #expect(after?.mustChange == false)
        try directory.deleteLoginProfile(of: "ann", in: account)
        #expect(directory.user("ann", in: account)?.user.loginProfile == nil)
    }

    @Test("can be set to the present password at Alibaba Cloud, but not at AWS")
    func samePassword() throws {
        var aws = directory(Self.aws)
        try aws.createLoginProfile(profile("Password-1"), for: "ann", in: Self.aws)
        #expect(throws: LoginProfileRefusal.samePassword) {
            try aws.changePassword(of: "ann", in: Self.aws, from: "Password-1", to: "Password-1", at: time)
        }
        var alibaba = directory(Self.alibaba)
        try alibaba.createLoginProfile(profile("Password-1"), for: "ann", in: Self.alibaba)
        try alibaba.changePassword(of: "ann", in: Self.alibaba, from: "Password-1", to: "Password-1", at: time)
    }

    @Test(
        "follow the default rules of AWS",
        arguments: [
            ("Passw0rd", nil), ("Pass-1", .tooShort(minimum: 8)), ("password1", .tooFewKinds), ("Acme-Alias-1", .accountName),
            ("password-1", nil),
        ] as [(String, PasswordFault?)])
    func defaultOfAWS(password: String, fault: PasswordFault?) throws {
        let directory = directory(Self.aws)
        let user = try #require(directory.user("ann", in: Self.aws)?.user)
        #expect(directory.fault(ofPassword: password, of: user) == fault)
    }

    @Test(
        "follow the default rules of Alibaba Cloud",
        arguments: [
            ("password", nil), ("passwor", .tooShort(minimum: 8)), (String(repeating: "p", count: 32), nil),
            (String(repeating: "p", count: 33), .tooLong),
        ] as [(String, PasswordFault?)])
    func defaultOfAlibaba(password: String, fault: PasswordFault?) throws {
        let directory = directory(Self.alibaba)
        let user = try #require(directory.user("ann", in: Self.alibaba)?.user)
        #expect(directory.fault(ofPassword: password, of: user) == fault)
    }

    @Test(
        "follow the account's policy, whose faults have an order",
        arguments: [
            ("Aa1!Aa1!Aa", nil), ("a", .tooShort(minimum: 10)), ("aaaaaaaaaa", .noUppercase), ("AAAAAAAAAA", .noLowercase),
            ("AAAAAAAAAa", .noNumber), ("AAAAAAAA1a", .noSymbol), ("Used-before-1", .usedBefore),
        ] as [(String, PasswordFault?)])
    func policy(password: String, fault: PasswordFault?) throws {
        var policy = PasswordPolicy()
        policy.minimumLength = 10
        (policy.requiresUppercase, policy.requiresLowercase) = (true, true)
        (policy.requiresNumbers, policy.requiresSymbols) = (true, true)
        policy.reusePrevention = 2
        for account in [Self.aws, Self.alibaba] {
            let directory = directory(account, policy)
            var user = try #require(directory.user("ann", in: account)?.user)
            user.loginProfile = profile("Used-before-1")
            #expect(directory.fault(ofPassword: password, of: user) == fault)
        }
    }

    @Test("count symbols that RAM knows and IAM does not")
    func symbols() throws {
        var policy = PasswordPolicy()
        policy.requiresSymbols = true
        for (account, fault) in [(Self.aws, PasswordFault.noSymbol), (Self.alibaba, nil)] {
            let directory = directory(account, policy)
            let user = try #require(directory.user("ann", in: account)?.user)
            #expect(directory.fault(ofPassword: "password~", of: user) == fault)
            #expect(directory.fault(ofPassword: "password!", of: user) == nil)
        }
    }
}
