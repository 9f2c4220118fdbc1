import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

// The common parts of operations on identities: authorization, parameters with RAM's rules, pages of lists.
extension RPCCall {
    /// Returns the name of one of the account's entities for policies: `acs:ram::<account>:<kind>/<name>`. Lookup of users, groups and
    /// roles is case-insensitive, so policies see the stored spelling of the name.
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

    /// The resource name of the account as a whole.
    var accountResource: String { "acs:ram::\(account):*" }

    /// Rejects the call unless the caller may perform its action on each of the resources.
    /// (RAM API Reference, "RAM authorization"; actions of IMS are RAM's as well.)
    /// - Throws: `NoPermission`.
    func permit(_ resources: String...) throws(RPCError) {
        guard case .root(_, nil) = caller else {
            for resource in resources { try permit(resource) }
            return
        }
        // The root user is always allowed; the decision is recorded in the journal nevertheless.
        for resource in resources { _ = verdict(on: resource) }
    }

    private func permit(_ resource: String) throws(RPCError) {
        guard verdict(on: resource).decision.isAllowed else { throw .noPermission }
    }

    private func verdict(on resource: String) -> Authorizer.Verdict {
        http.authorize(caller, "ram:\(action)", on: resource, ownedBy: account, region: "")
    }

    /// Rejects the call unless the caller may perform its action on a user. Users may act on themselves if the account allows it and
    /// no policy denies it.
    func permit(on user: String, orThemselvesWhere isAllowed: (SecurityPreference) -> Bool) throws(RPCError) {
        guard case .user(let entry, _) = caller, Directory.PrincipalName(account: account, name: user).isOf(entry.user),
            isAllowed(directory.accounts[account]?.securityPreference ?? SecurityPreference())
        else { return try permit(resource("user", user)) }
        if case .explicitDeny = verdict(on: resource("user", user)).decision.outcome { throw .noPermission }
    }

    /// Returns the name of an entity of RAM.
    func name(_ parameter: String, _ kind: RAMName) throws(RPCError) -> String {
        let name = try required(parameter)
        try Self.check(name, parameter, kind)
        return name
    }

    /// Returns the new name of an entity of RAM, if the call passes one.
    func newName(_ parameter: String, _ kind: RAMName) throws(RPCError) -> String? {
        guard let name = text(parameter) else { return nil }
        try Self.check(name, parameter, kind)
        return name
    }

    private static func check(_ name: String, _ parameter: String, _ kind: RAMName) throws(RPCError) {
        guard (1...kind.longest).contains(name.utf8.count) else { throw .tooLong(parameter) }
        guard kind.allowsCharacters(of: name) else { throw .invalidCharacters(parameter) }
    }

    /// Returns a free text that RAM does not interpret.
    func remark(_ parameter: String, longest: Int) throws(RPCError) -> String? {
        guard let text = parameters.first(parameter) else { return nil }
        guard text.unicodeScalars.count <= longest else { throw .tooLong(parameter) }
        return text
    }

    /// Parses `true` or `false`. The SDK for Python capitalizes the first letter.
    func flag(_ parameter: String) throws(RPCError) -> Bool? {
        switch text(parameter)?.lowercased() {
        case "true": return true
        case "false": return false
        case nil: return nil
        default: throw .incorrect(parameter)
        }
    }

    /// Parses a number within a range.
    func number(_ parameter: String, _ range: ClosedRange<Int>) throws(RPCError) -> Int? {
        guard let text = text(parameter) else { return nil }
        guard let number = Int(digits: text), range.contains(number) else { throw .incorrect(parameter) }
        return number
    }

    /// Returns the page of a list that the call requests, and the members that report whether there is more.
    /// - Parameters:
    ///   - items: the whole list.
    ///   - most: the maximum size of a page.
    ///   - key: the unique name of an item.
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

    /// Returns a response with a page of a list.
    func list<Item>(
        _ name: String, of element: String, _ items: [Item], most: Int = 1000, by key: (Item) -> String, _ describe: (Item) -> RPCValue
    ) throws(RPCError) -> RPCValue {
        let (part, end) = try page(items, most: most, by: key, describe)
        return .object([.init(name: name, value: .list(of: element, part))] + end)
    }
}

extension RPCValue {
    /// Returns a time in the format of these services.
    static func date(_ time: Timestamp) -> RPCValue { .text(Timestamp(seconds: time.seconds).iso8601) }

    /// A response without members of its own.
    static let done = RPCValue.object([])
}

extension Directory.PrincipalName {
    /// Returns whether this is the name of the user.
    fileprivate func isOf(_ user: User) -> Bool { self == Directory.PrincipalName(account: user.account, name: user.name) }
}

/// Generates identifiers as RAM does.
enum RAMIdentifier {
    private static let digits = Array("0123456789".utf8)
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Returns a user ID: eighteen digits that begin with 2.
    static func user() throws -> String { "2" + (try text(17, of: digits)) }

    /// Returns a role ID: eighteen digits that begin with 3.
    static func role() throws -> String { "3" + (try text(17, of: digits)) }

    static func group() throws -> String { "g-" + (try text(16, of: letters)) }

    static func policy() throws -> String { "4" + (try text(17, of: digits)) }

    /// Returns an access key ID: 24 letters and digits that begin with LTAI5t.
    static func accessKey() throws -> String { "LTAI5t" + (try text(18, of: letters)) }

    /// Returns a secret of thirty letters and digits.
    static func secret() throws -> String { try text(30, of: letters) }

    private static func text(_ count: Int, of alphabet: [UInt8]) throws -> String {
        // Two bytes for each character, so that no character is noticeably more likely than another.
        let random = try randomBytes(2 * count)
        return String(
            decoding: (0..<count).map { alphabet[(Int(random[2 * $0]) << 8 | Int(random[2 * $0 + 1])) % alphabet.count] }, as: UTF8.self)
    }
}
