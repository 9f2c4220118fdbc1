import Cryptography
import Policy

struct SeedUser: Sendable, Decodable {
    var name: String
    var path: String
    var accessKeys: [SeedAccessKey]
    var policies: [InlinePolicy]

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, path, accessKeys, policies }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a user name", where: { !$0.isEmpty })
        path = try container.decode(.path, or: "/")
        accessKeys = try container.decode(.accessKeys, or: [])
        policies = try container.decode(.policies, or: SeedPolicies()).policies
    }

    func user(in account: String) -> User {
        User(
            account: account, name: name, path: path, id: uniqueID(prefix: "AIDA", of: "\(account)/user/\(name)"),
            accessKeys: accessKeys.map(\.key), policies: policies)
    }
}

struct SeedRole: Sendable, Decodable {
    var name: String
    var path: String
    var trustPolicy: TrustPolicy
    var policies: [InlinePolicy]
    var maximumSessionDuration: Int

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, path, trustPolicy, policies, maximumSessionDuration }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try container.decode(.name, expecting: "a role name", where: { !$0.isEmpty })
        path = try container.decode(.path, or: "/")
        trustPolicy = try container.decode(TrustPolicy.self, forKey: .trustPolicy)
        policies = try container.decode(.policies, or: SeedPolicies()).policies
        maximumSessionDuration =
            container.contains(.maximumSessionDuration)
            ? try container.decode(.maximumSessionDuration, expecting: "seconds from 3600 to 43200") { (3600...43200).contains($0) }
            : 3600
    }

    func role(in account: String) -> Role {
        Role(
            account: account, name: name, path: path, id: uniqueID(prefix: "AROA", of: "\(account)/role/\(name)"),
            trustPolicy: trustPolicy, policies: policies, maximumSessionDuration: maximumSessionDuration)
    }
}

/// Inline policies as an object: name to document.
struct SeedPolicies: Sendable, Decodable {
    var policies: [InlinePolicy] = []

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        for name in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            let document = try container.decodePolicy(.identity, forKey: name)
            policies.append(InlinePolicy(name: name.stringValue, document: document))
        }
    }
}

/// A principal's unique identifier. Seeded principals get theirs from their name, so that it is the same after a restart.
/// (IAM User Guide, "Unique identifiers": a prefix of four letters and 17 characters of base 32.)
private func uniqueID(prefix: String, of name: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    let digits = SHA256.hash(name).prefix(17).map { alphabet[Int($0 & 31)] }
    return prefix + String(decoding: digits, as: UTF8.self)
}
