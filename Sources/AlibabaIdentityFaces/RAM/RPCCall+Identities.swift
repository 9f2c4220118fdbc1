import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

// What operations on identities have in common: permission, parameters in RAM's rules, parts of lists.
extension RPCCall {
    /// The name of something of the account, for policies: `acs:ram::<account>:<kind>/<name>`. Users, groups and roles are found whatever the
    /// case of their names, so what policies see is the name that is kept.
    func resource(_ kind: String, _ name: String = "*") -> String {
        let kept: String? =
            switch kind {
            case "user": directory.user(name, in: account)?.user.name
            case "group": directory.group(name, in: account)?.name
            case "role": directory.role(name, in: account)?.role.name
            default: nil
            }
        return "acs:ram::\(account):\(kind)/\(kept ?? name)"
    }

    /// The name of the account as a whole.
    var accountResource: String { "acs:ram::\(account):*" }

    /// Refuses the call where the caller may not perform its action on each of the resources.
    /// (RAM API Reference, "RAM authorization"; actions of IMS are RAM's as well.)
    /// - Throws: `NoPermission`.
    func permit(_ resources: String...) throws(RPCError) {
        guard case .root(_, nil) = caller else {
            for resource in resources { try permit(resource) }
            return
        }
        // The root user's permission stands in the journal like others'.
        for resource in resources { _ = verdict(on: resource) }
    }

    private func permit(_ resource: String) throws(RPCError) {
        guard verdict(on: resource).decision.isAllowed else { throw .noPermission }
    }

    private func verdict(on resource: String) -> Authorizer.Verdict {
        http.authorize(caller, "ram:\(action)", on: resource, ownedBy: account, region: "")
    }

    /// Refuses the call where the caller may not perform its action on a user; users may act on themselves where the account lets them and
    /// no policy denies it.
    func permit(on user: String, orThemselvesWhere isLetThem: (SecurityPreference) -> Bool) throws(RPCError) {
        guard case .user(let entry, _) = caller, Directory.PrincipalName(account: account, name: user).isOf(entry.user),
            isLetThem(directory.accounts[account]?.securityPreference ?? SecurityPreference())
        else { return try permit(resource("user", user)) }
        if case .explicitDeny = verdict(on: resource("user", user)).decision.outcome { throw .noPermission }
    }

    /// The name of something that RAM keeps.
    func name(_ parameter: String, _ kind: RAMName) throws(RPCError) -> String {
        let name = try required(parameter)
        try Self.check(name, parameter, kind)
        return name
    }

    /// The new name of something that RAM keeps, where the call gives one.
    func newName(_ parameter: String, _ kind: RAMName) throws(RPCError) -> String? {
        guard let name = text(parameter) else { return nil }
        try Self.check(name, parameter, kind)
        return name
    }

    private static func check(_ name: String, _ parameter: String, _ kind: RAMName) throws(RPCError) {
        guard (1...kind.longest).contains(name.utf8.count) else { throw .tooLong(parameter) }
        guard kind.allowsCharacters(of: name) else { throw .invalidCharacters(parameter) }
    }

    /// A text that says nothing to RAM.
    func remark(_ parameter: String, longest: Int) throws(RPCError) -> String? {
        guard let text = parameters.first(parameter) else { return nil }
        guard text.unicodeScalars.count <= longest else { throw .tooLong(parameter) }
        return text
    }

    /// `true` or `false`, which the SDK for Python begins with a capital.
    func flag(_ parameter: String) throws(RPCError) -> Bool? {
        switch text(parameter)?.lowercased() {
        case "true": return true
        case "false": return false
        case nil: return nil
        default: throw .incorrect(parameter)
        }
    }

    /// A number within a range.
    func number(_ parameter: String, _ range: ClosedRange<Int>) throws(RPCError) -> Int? {
        guard let text = text(parameter) else { return nil }
        guard let number = Int(digits: text), range.contains(number) else { throw .incorrect(parameter) }
        return number
    }

    /// The part of a list that the call wants, and what says whether there is more.
    /// - Parameters:
    ///   - items: all of them.
    ///   - most: how many a part may have.
    ///   - key: what an item is called: unique.
    func page<Item>(_ items: [Item], most: Int = 1000, by key: (Item) -> String, _ describe: (Item) -> RPCValue) throws(RPCError)
        -> (items: [RPCValue], end: [RPCValue.Member])
    {
        let limit = try number("MaxItems", 1...most) ?? 100
        let sorted = items.map { (key: key($0), item: $0) }.sorted { $0.key < $1.key }
        var rest = sorted[...]
        if let marker = text("Marker") {
            guard let bytes = [UInt8](base64: marker) else { throw .incorrect("Marker") }
            let last = String(decoding: bytes, as: UTF8.self)
            rest = sorted.drop { $0.key <= last }
        }
        let part = rest.prefix(limit)
        var end = [RPCValue.Member(name: "IsTruncated", value: .flag(rest.count > limit))]
        if rest.count > limit, let last = part.last { end.append(.init(name: "Marker", value: .text(Array(last.key.utf8).base64))) }
        return (part.map { describe($0.item) }, end)
    }

    /// An answer with a part of a list.
    func list<Item>(
        _ name: String, of element: String, _ items: [Item], most: Int = 1000, by key: (Item) -> String, _ describe: (Item) -> RPCValue
    ) throws(RPCError) -> RPCValue {
        let (part, end) = try page(items, most: most, by: key, describe)
        return .object([.init(name: name, value: .list(of: element, part))] + end)
    }
}

extension RPCValue {
    /// A moment, as these services write it.
    static func date(_ time: Timestamp) -> RPCValue { .text(Timestamp(seconds: time.seconds).iso8601) }

    /// An answer that says no more than that it was done.
    static let done = RPCValue.object([])
}

extension Directory.PrincipalName {
    /// Whether it names the user.
    fileprivate func isOf(_ user: User) -> Bool { self == Directory.PrincipalName(account: user.account, name: user.name) }
}

/// Identifiers as RAM makes them.
enum RAMIdentifier {
    private static let digits = Array("0123456789".utf8)
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Of users: eighteen digits that begin with 2.
    static func user() throws -> String { "2" + (try text(17, of: digits)) }

    /// Of roles: eighteen digits that begin with 3.
    static func role() throws -> String { "3" + (try text(17, of: digits)) }

    static func group() throws -> String { "g-" + (try text(16, of: letters)) }

    static func policy() throws -> String { "4" + (try text(17, of: digits)) }

    /// Of access keys: 24 letters and digits that begin with LTAI5t.
    static func accessKey() throws -> String { "LTAI5t" + (try text(18, of: letters)) }

    /// Thirty letters and digits.
    static func secret() throws -> String { try text(30, of: letters) }

    private static func text(_ count: Int, of alphabet: [UInt8]) throws -> String {
        // Two bytes each, so that no character is noticeably more likely than another.
        let random = try randomBytes(2 * count)
        return String(
            decoding: (0..<count).map { alphabet[(Int(random[2 * $0]) << 8 | Int(random[2 * $0 + 1])) % alphabet.count] }, as: UTF8.self)
    }
}
