import WireFormats

/// A client or a person of an identity provider as a record of its own, so that adding one does not write the others again.
package struct ProviderMember<Member: RosterMember & Codable>: Sendable, Codable {
    /// The name of the provider.
    package var provider: String
    /// The position among the provider's clients or people.
    var number: Int
    /// The client or the person.
    package var member: Member

    /// The name of the record in its family. Names of providers contain no slash.
    var recordName: String { Self.recordName(provider, member.rosterName) }

    static func recordName(_ provider: String, _ member: String) -> String { "\(provider)/\(member)" }
}

extension Directory {
    /// Adds a client to a provider, or replaces the one with its ID, if there is the provider.
    package mutating func put(_ client: Client, at provider: String) {
        guard let clients = providers[provider]?.clients else { return }
        put(.client(ProviderMember(provider: provider, number: clients.number(of: client.id) ?? clients.nextNumber, member: client)))
    }

    /// Adds a person to a provider, or replaces the one with the name, if there is the provider.
    package mutating func put(_ person: Person, at provider: String) {
        guard let people = providers[provider]?.people else { return }
        put(.person(ProviderMember(provider: provider, number: people.number(of: person.name) ?? people.nextNumber, member: person)))
    }

    /// Removes a client of a provider, if there is one.
    package mutating func removeClient(_ id: String, at provider: String) {
        remove(DirectoryRecord.ID(.client, ProviderMember<Client>.recordName(provider, id)))
    }

    /// Removes a person of a provider, if there is one.
    package mutating func removePerson(_ name: String, at provider: String) {
        remove(DirectoryRecord.ID(.person, ProviderMember<Person>.recordName(provider, name)))
    }

    /// The number of clients that registered themselves without a token.
    package var openlyRegisteredClients: Int { providers.values.reduce(0) { $0 + $1.clients.count(.isOpenlyRegistered) } }

    /// Returns the changes of records that make the clients and people of one provider those of another version of it.
    static func changes(from old: IdentityProvider?, to new: IdentityProvider?) -> [Change] {
        guard let name = (new ?? old)?.name else { return [] }
        return changes(name, from: old?.clients ?? [], to: new?.clients ?? [], .client, DirectoryRecord.client)
            + changes(name, from: old?.people ?? [], to: new?.people ?? [], .person, DirectoryRecord.person)
    }

    private static func changes<Member>(
        _ provider: String, from old: Roster<Member>, to new: Roster<Member>, _ family: DirectoryRecord.Family,
        _ record: (ProviderMember<Member>) -> DirectoryRecord
    ) -> [Change] {
        let removed = old.filter { new[$0.rosterName] == nil }.map { member in
            Change.remove(DirectoryRecord.ID(family, ProviderMember<Member>.recordName(provider, member.rosterName)))
        }
        let put = new.numbered.compactMap { number, member -> Change? in
            if old.number(of: member.rosterName) == number, old[member.rosterName] == member { return nil }
            return .put(record(ProviderMember(provider: provider, number: number, member: member)))
        }
        return removed + put
    }
}

extension DirectoryRecord.ID {
    /// The names of the provider and of its member in the name of a record.
    var providerAndMember: (provider: String, member: String)? {
        guard let slash = name.firstIndex(of: "/") else { return nil }
        return (String(name[..<slash]), String(name[name.index(after: slash)...]))
    }
}
