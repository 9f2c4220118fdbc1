package import WireFormats

/// A client or a person of an identity provider.
package protocol RosterMember: Hashable, Sendable {
    /// The name by which the provider knows the member. It is unique at the provider.
    var rosterName: String { get }
    /// Texts of other kinds by which members are found.
    var aliases: [RosterAlias] { get }
    /// What is counted over all members.
    var traits: [RosterTrait] { get }
}

/// A text other than its name by which a member of a ``Roster`` is found.
package enum RosterAlias: Hashable, Sendable {
    /// The subject of a person.
    case subject(TextKey)
    /// The mail address of a person, in its original case.
    case mail(TextKey)
    /// The mail address of a person, in lower case.
    case foldedMail(TextKey)
}

/// What clients or people have in common, and is counted by ``Roster``.
package enum RosterTrait: Hashable, Sendable {
    /// An algorithm that the provider signs with for the client.
    case algorithm(TextKey)
    /// The client may encrypt its request objects.
    case encryptsRequests
    /// The origin of a redirect URI.
    case page(TextKey)
    /// The client registered itself without a token.
    case isOpenlyRegistered
    /// The person is a test user of a Facebook app.
    case isTestUser(of: TextKey)
}

/// The clients or the people of an identity provider in the order in which they were added. A member is found by its name, and copies share
/// all but the branches of the trees that a change replaces: applications can register any number of clients.
package struct Roster<Member: RosterMember>: Sequence, ExpressibleByArrayLiteral, Sendable {
    private struct Tables: Sendable {
        var members: Table<Int, Member> = [:]
        /// The numbers of the members with a name. Only seeds that are not checked yet have several.
        var numbers: Table<TextKey, [Int]> = [:]
        /// The numbers of the members with an alias, in ascending order.
        var aliases: Table<RosterAlias, [Int]> = [:]
        /// How many members have a trait.
        var traits: Table<RosterTrait, Int> = [:]
        /// The number of the first member.
        var first = Int.max
        /// The number of the next member.
        var next = 0

        mutating func add(_ member: Member, number: Int) {
            members[number] = member
            let name = TextKey(member.rosterName)
            numbers[name] = (numbers[name] ?? []) + [number]
            for alias in Set(member.aliases) {
                let known = aliases[alias] ?? []
                aliases[alias] = known.last.map { $0 < number } ?? true ? known + [number] : (known + [number]).sorted()
            }
            for trait in Set(member.traits) { traits[trait] = (traits[trait] ?? 0) + 1 }
            first = Swift.min(first, number)
            next = Swift.max(next, number + 1)
        }

        mutating func remove(number: Int) {
            guard let member = members[number] else { return }
            members[number] = nil
            let name = TextKey(member.rosterName)
            let others = (numbers[name] ?? []).filter { $0 != number }
            numbers[name] = others.isEmpty ? nil : others
            for alias in Set(member.aliases) {
                let others = (aliases[alias] ?? []).filter { $0 != number }
                aliases[alias] = others.isEmpty ? nil : others
            }
            for trait in Set(member.traits) {
                let count = (traits[trait] ?? 0) - 1
                traits[trait] = count > 0 ? count : nil
            }
            if number == first { first = members.keys.min() ?? .max }
        }
    }

    @Shared private var tables = Tables()

    package init(arrayLiteral members: Member...) { self.init(members) }

    /// Creates a roster of members in an order.
    package init(_ members: some Sequence<Member>) { append(contentsOf: members) }

    /// The number of members.
    package var count: Int { tables.members.count }
    /// Whether there is no member.
    package var isEmpty: Bool { tables.members.isEmpty }
    /// The first member; `nil` if there is none.
    package var first: Member? { tables.members[tables.first] }
    /// The number that the next member gets.
    var nextNumber: Int { tables.next }

    /// The member with a name; `nil` if there is none.
    package subscript(name: String) -> Member? { number(of: name).flatMap { tables.members[$0] } }

    /// Returns the first member with an alias, or `nil` if there is none.
    package func first(_ alias: RosterAlias) -> Member? { tables.aliases[alias]?.first.flatMap { tables.members[$0] } }

    /// Returns how many members have a trait.
    package func count(_ trait: RosterTrait) -> Int { tables.traits[trait] ?? 0 }

    /// Returns the position of a member in the order, which others can follow with gaps; `nil` if there is no member with the name.
    func number(of name: String) -> Int? { tables.numbers[TextKey(name)]?.first }

    /// The members with their numbers, in their order.
    var numbered: [(number: Int, member: Member)] { tables.members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// Returns an iterator over the members in their order.
    package func makeIterator() -> IndexingIterator<[Member]> { numbered.map(\.member).makeIterator() }

    /// Adds members at the end.
    package mutating func append(contentsOf members: some Sequence<Member>) {
        var changed = tables
        for member in members { changed.add(member, number: changed.next) }
        tables = changed
    }

    /// Puts a member at a position, in place of the one with its name and of the one at the position.
    mutating func put(_ member: Member, number: Int) {
        var changed = tables
        for known in changed.numbers[TextKey(member.rosterName)] ?? [] { changed.remove(number: known) }
        changed.remove(number: number)
        changed.add(member, number: number)
        tables = changed
    }

    /// Removes the member with a name, if there is one.
    mutating func remove(_ name: String) {
        var changed = tables
        for known in changed.numbers[TextKey(name)] ?? [] { changed.remove(number: known) }
        tables = changed
    }
}

extension Client: RosterMember {
    package var rosterName: String { id }

    package var aliases: [RosterAlias] { [] }

    package var traits: [RosterTrait] {
        let algorithms = metadata.algorithmsOfIssuer
        return algorithms.map { .algorithm(TextKey($0)) } + redirectURIs.compactMap(Self.origin(of:)).map { .page(TextKey($0)) }
            + (isOpenlyRegistered == true ? [.isOpenlyRegistered] : [])
            + (metadata.requestObjectEncryptionAlg == nil ? [] : [.encryptsRequests])
    }

    /// Returns the scheme and authority of an http or https URL, as a browser spells the origin of its page.
    package static func origin(of url: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
        return scheme + url.dropFirst(scheme.count).prefix { !"/?#;,' ".contains($0) }
    }
}

extension Person: RosterMember {
    package var rosterName: String { name }

    package var aliases: [RosterAlias] {
        let mail = claims["email"]?.stringValue
        return [.subject(TextKey(subject))]
            + (mail.map { [.mail(TextKey($0)), .foldedMail(TextKey($0.lowercased()))] } ?? [])
    }

    package var traits: [RosterTrait] { facebook?.testUserOf.map { [.isTestUser(of: TextKey($0))] } ?? [] }
}
