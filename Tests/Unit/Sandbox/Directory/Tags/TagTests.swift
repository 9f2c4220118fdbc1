import Policy
import Testing
import WireFormats

@testable import Directory

@Suite("Tags of records")
struct TagTests {
    private typealias Tag = Policy.Tag

    private static let account = "123456789012"

    private func directory(_ tags: [Tag]) -> Directory {
        var directory = Directory()
        directory.put(.user(User(account: Self.account, name: "ann", path: "/", id: "U1", tags: tags)))
        return directory
    }

    private func tags(_ directory: Directory) -> [String] {
        directory.user("ann", in: Self.account)?.user.tags.map { "\($0.key)=\($0.value)" } ?? []
    }

    private let two = [Tag(key: "team", value: "a"), Tag(key: "stage", value: "test")]

    @Test("are replaced by key, in place at AWS and at the end at Alibaba Cloud")
    func replaces() throws {
        var directory = directory(two)
        try directory.tag(User.self, "ANN", in: Self.account, with: [Tag(key: "TEAM", value: "b")], .aws(foldsKeys: true))
        #expect(tags(directory) == ["TEAM=b", "stage=test"])
        directory = self.directory(two)
        try directory.tag(User.self, "ann", in: Self.account, with: [Tag(key: "team", value: "b")], .alibaba)
        #expect(tags(directory) == ["stage=test", "team=b"])
        try directory.tag(User.self, "ann", in: Self.account, with: [Tag(key: "TEAM", value: "c")], .alibaba)
        #expect(tags(directory) == ["stage=test", "team=b", "TEAM=c"])
    }

    @Test("are removed by key, or all")
    func removes() throws {
        var directory = directory(two)
        try directory.untag(User.self, "ann", in: Self.account, keys: ["Team"], .aws())
        #expect(tags(directory).count == 2)
        try directory.untag(User.self, "ann", in: Self.account, keys: ["Team"], .aws(foldsKeys: true))
        #expect(tags(directory) == ["stage=test"])
        try directory.untag(User.self, "ann", in: Self.account, keys: nil, .alibaba)
        #expect(tags(directory).isEmpty)
    }

    @Test("are limited in number, and only for records that exist")
    func refusals() throws {
        var directory = directory(two)
        let many = (1...20).map { Tag(key: "k\($0)", value: "") }
        #expect(throws: TagRefusal.limitExceeded(20)) { try directory.tag(User.self, "ann", in: Self.account, with: many, .alibaba) }
        #expect(tags(directory).count == 2)
        #expect(throws: TagRefusal.noSuchResource("bob")) { try directory.tag(User.self, "bob", in: Self.account, with: two, .aws()) }
        #expect(throws: TagRefusal.noSuchResource("bob")) { try directory.untag(User.self, "bob", in: Self.account, keys: nil, .aws()) }
    }

    @Test("cannot have the same key twice, or a key that the cloud keeps for itself")
    func checks() throws {
        let twice = [Tag(key: "team", value: "a"), Tag(key: "Team", value: "b")]
        try twice.check(.aws())
        try twice.check(.alibaba)
        #expect(throws: TagRefusal.duplicateKeys) { try twice.check(.aws(foldsKeys: true)) }
        try twice.check(.aws(foldsKeys: true), allowsDuplicates: true)
        #expect(throws: TagRefusal.reservedKey) { try [Tag(key: "AWS:x", value: "")].check(.aws()) }
        #expect(throws: TagRefusal.reservedKey) { try [Tag(key: "Aliyun-x", value: "")].check(.alibaba) }
        try [Tag(key: "aws:x", value: "")].check(.alibaba)
    }

    @Test("of a certificate lie in the record of its account")
    func certificate() throws {
        var directory = Directory()
        var account = Account(id: Self.account, name: "acme", rootKeys: [])
        account.serverCertificates = [
            ServerCertificate(
                account: Self.account, name: "web", path: "/", id: "C1", body: "", chain: nil, privateKey: "", uploaded: .fill,
                expires: .fill, tags: [])
        ]
        directory.put(.account(account))
        try directory.tag(ServerCertificate.self, "WEB", in: Self.account, with: two, .aws())
        #expect(directory.accounts[Self.account]?.serverCertificates.first?.tags == two)
    }
}
