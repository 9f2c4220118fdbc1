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
        name = try container.decode(.name, expecting: "a user name of 1 to 64 letters, digits and _+=,.@-", where: isPrincipalName)
        path = container.contains(.path) ? try container.decode(.path, expecting: pathForm, where: isPath) : "/"
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
        name = try container.decode(.name, expecting: "a role name of 1 to 64 letters, digits and _+=,.@-", where: isPrincipalName)
        path = container.contains(.path) ? try container.decode(.path, expecting: pathForm, where: isPath) : "/"
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

/// Whether IAM takes the name for a user or role. (IAM API Reference, "CreateRole", `RoleName`.)
private func isPrincipalName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
        && name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "_+=,.@-".utf8.contains(byte)
            }
        }
}

private let pathForm = "a path that begins and ends with /"

/// Whether IAM takes the path of a user or role. (IAM API Reference, "CreateRole", `Path`.)
private func isPath(_ path: String) -> Bool {
    path.hasPrefix("/") && path.hasSuffix("/") && path.utf8.count <= 512 && path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}

/// A principal's unique identifier. Seeded principals get theirs from their name, so that it is the same after a restart.
/// (IAM User Guide, "Unique identifiers": a prefix of four letters and 17 characters of base 32.)
private func uniqueID(prefix: String, of name: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    let digits = SHA256.hash(name).prefix(17).map { alphabet[Int($0 & 31)] }
    return prefix + String(decoding: digits, as: UTF8.self)
}
