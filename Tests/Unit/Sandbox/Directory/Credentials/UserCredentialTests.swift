import Testing
import WireFormats

@testable import Directory

@Suite("Operations on keys, certificates and service credentials")
struct UserCredentialTests {
    private static let account = "123456789012"
    private let time = Timestamp(seconds: 1_700_000_000)

    private func directory() throws -> Directory {
        var directory = Directory()
        try directory.createUser(User(account: Self.account, name: "ann", path: "/", id: "U", created: time), limit: 1)
        return directory
    }

    private func key(_ id: String, modulus: UInt8) -> SSHPublicKey {
        SSHPublicKey(id: id, body: id, modulus: [modulus], exponent: [3], uploaded: time)
    }

    @Test("a user has no key twice, and not more than the limit")
    func publicKeys() throws {
        var directory = try directory()
        func add(_ key: SSHPublicKey, of name: String = "ann") throws(CredentialRefusal) {
            try directory.addPublicKey(key, of: name, in: Self.account, limit: 2)
        }
        #expect(throws: CredentialRefusal.noSuchUser("bob")) { try add(key("A", modulus: 1), of: "bob") }
        try add(key("A", modulus: 1))
        #expect(throws: CredentialRefusal.alreadyExists(.publicKey)) { try add(key("B", modulus: 1)) }
        try add(key("B", modulus: 2))
        #expect(throws: CredentialRefusal.alreadyExists(.publicKey)) { try add(key("C", modulus: 2)) }
        #expect(throws: CredentialRefusal.limitExceeded(.publicKey, 2)) { try add(key("C", modulus: 3)) }
    }

    @Test("a user has no certificate twice, and not more than the limit")
    func signingCertificates() throws {
        var directory = try directory()
        func add(_ body: String) throws(CredentialRefusal) {
            try directory.addSigningCertificate(
                SigningCertificate(id: body, body: body, uploaded: time), of: "ann", in: Self.account, limit: 1)
        }
        try add("first")
        #expect(throws: CredentialRefusal.alreadyExists(.signingCertificate)) { try add("first") }
        #expect(throws: CredentialRefusal.limitExceeded(.signingCertificate, 1)) { try add("second") }
    }

    @Test("credentials for a service have user names that are free, and a limit for each service")
    func serviceCredentials() throws {
        var directory = try directory()
        func add(_ id: String, _ service: String = "codecommit") throws(CredentialRefusal) -> String {
            try directory.addServiceCredential(for: service, of: "ann", in: Self.account, limit: 2) { userName in
                ServiceCredential(id: id, service: service, userName: userName, password: "p", created: time, expires: nil)
            }.userName
        }
        #expect(try add("A") == "ann-at-123456789012")
        #expect(try add("B") == "ann+1-at-123456789012")
        #expect(throws: CredentialRefusal.limitExceeded(.serviceCredential, 2)) { try add("C") }
        #expect(try add("C", "cassandra") == "ann-at-123456789012")
        try directory.deleteCredential("A", in: \.serviceCredentials, of: "ann", in: Self.account)
        #expect(try add("D") == "ann-at-123456789012")
    }

    @Test("credentials are found, changed and deleted by their identifiers")
    func changes() throws {
        var directory = try directory()
        try directory.addPublicKey(key("A", modulus: 1), of: "ann", in: Self.account, limit: 2)
        let changed = try directory.updateCredential("A", in: \.publicKeys, of: "ANN", in: Self.account) { $0.isActive = false }
        let keys = try #require(directory.user("ann", in: Self.account)?.user.publicKeys)
        let found = try keys.credential("A")
        #expect(!changed.isActive)
        #expect(!found.isActive)
        let missing = CredentialRefusal.noSuchCredential(.publicKey, "B")
        #expect(throws: missing) { try keys.credential("B") }
        #expect(throws: missing) { try directory.updateCredential("B", in: \.publicKeys, of: "ann", in: Self.account) { _ in } }
        #expect(throws: missing) { try directory.deleteCredential("B", in: \.publicKeys, of: "ann", in: Self.account) }
        #expect(throws: CredentialRefusal.noSuchUser("bob")) {
            try directory.deleteCredential("A", in: \.publicKeys, of: "bob", in: Self.account)
        }
        try directory.deleteCredential("A", in: \.publicKeys, of: "ann", in: Self.account)
        #expect(directory.user("ann", in: Self.account)?.user.publicKeys.isEmpty == true)
    }

    @Test("server certificates have names that are unique without regard to case")
    func serverCertificates() throws {
        var directory = Directory()
        directory.put(.account(Account(id: Self.account, name: "company", rootKeys: [])))
        func certificate(_ name: String, of account: String = Self.account) -> ServerCertificate {
            ServerCertificate(
                account: account, name: name, path: "/", id: name, body: "b", chain: nil, privateKey: "k", uploaded: time, expires: time,
                tags: [])
        }
        #expect(throws: ServerCertificateRefusal.noSuchAccount("1")) {
            try directory.addServerCertificate(certificate("web", of: "1"), limit: 2)
        }
        try directory.addServerCertificate(certificate("web"), limit: 2)
        #expect(throws: ServerCertificateRefusal.alreadyExists("WEB")) {
            try directory.addServerCertificate(certificate("WEB"), limit: 2)
        }
        try directory.addServerCertificate(certificate("api"), limit: 2)
        #expect(throws: ServerCertificateRefusal.limitExceeded(2)) { try directory.addServerCertificate(certificate("more"), limit: 2) }
        #expect(throws: ServerCertificateRefusal.alreadyExists("Api")) {
            try directory.moveServerCertificate("web", in: Self.account, toName: "Api", path: nil)
        }
        try directory.moveServerCertificate("web", in: Self.account, toName: "Web", path: "/site/")
        #expect(try directory.serverCertificate("WEB", in: Self.account).arn == "arn:aws:iam::123456789012:server-certificate/site/Web")
        try directory.deleteServerCertificate("web", in: Self.account)
        #expect(throws: ServerCertificateRefusal.noSuchCertificate("web")) {
            try directory.deleteServerCertificate("web", in: Self.account)
        }
    }
}
