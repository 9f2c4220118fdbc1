import Testing
import WireFormats

@testable import Directory

@Suite("Operations on accounts")
struct AccountOperationTests {
    private static let (first, second, other) = ("111111111111", "222222222222", "3333333333333333")

    private var directory: Directory {
        var directory = Directory()
        for id in [Self.first, Self.second, Self.other] { directory.put(.account(Account(id: id, name: "n\(id)", rootKeys: []))) }
        return directory
    }

    @Test("give an alias to one account of a cloud")
    func alias() throws {
        var directory = directory
        try directory.setAlias("acme", of: Self.first)
        try directory.setAlias("acme", of: Self.first)
        #expect(throws: AccountRefusal.aliasAlreadyExists("acme")) { try directory.setAlias("acme", of: Self.second) }
        try directory.setAlias("acme", of: Self.other)
        #expect(throws: AccountRefusal.noSuchAlias("acme2")) { try directory.removeAlias("acme2", of: Self.first) }
        try directory.removeAlias("acme", of: Self.first)
        try directory.removeAlias(of: Self.second)
        try directory.setAlias("acme", of: Self.second)
        #expect(throws: AccountRefusal.noSuchAccount("0")) { try directory.setAlias("x", of: "0") }
    }

    @Test("set and remove the password policy")
    func passwordPolicy() throws {
        var directory = directory
        #expect(throws: AccountRefusal.noPasswordPolicy) { try directory.removePasswordPolicy(of: Self.first) }
        try directory.setPasswordPolicy(.ofRAM, of: Self.first)
        #expect(directory.accounts[Self.first]?.passwordPolicy?.minimumLength == 8)
        try directory.removePasswordPolicy(of: Self.first)
        #expect(directory.accounts[Self.first]?.passwordPolicy == nil)
    }

    @Test("switch the issuer of the account's own tokens, which keeps its identifier")
    func issuer() throws {
        var directory = directory
        #expect(throws: OutboundIssuerRefusal.alreadyDisabled) { try directory.disableOutboundIssuer(of: Self.first) }
        #expect(try directory.enableOutboundIssuer(of: Self.first, id: "one").id == "one")
        #expect(throws: OutboundIssuerRefusal.alreadyEnabled) { try directory.enableOutboundIssuer(of: Self.first, id: "two") }
        try directory.disableOutboundIssuer(of: Self.first)
        #expect(try directory.enableOutboundIssuer(of: Self.first, id: "two").id == "one")
    }
}
