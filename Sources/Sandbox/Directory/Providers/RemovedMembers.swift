import Cryptography
package import WireFormats

/// The identity providers, clients and people that an edit of the directory removes. What was issued under them must not become valid
/// again when another one gets the name.
package struct RemovedMembers: Sendable {
    /// The names of the removed providers.
    package fileprivate(set) var providers: [String] = []
    /// The identifiers of removed clients, by the name of their provider, which remains.
    package fileprivate(set) var clients: TextDictionary<[String]> = [:]
    /// The identifiers of clients that remain, but whose registration ended, by the name of their provider.
    package fileprivate(set) var registrations: TextDictionary<[String]> = [:]
    /// The names of removed people, by the name of their provider, which remains.
    package fileprivate(set) var people: TextDictionary<[String]> = [:]
}

extension Directory {
    /// Returns the members of an earlier version of the directory that its changes removed, or replaced by others of the same name: a
    /// provider of another kind or with another issuer, a person with another subject. A client remains the same with every other setting,
    /// a new secret included.
    /// - Parameter earlier: the directory before ``changes``.
    package func removedMembers(since earlier: Directory) -> RemovedMembers {
        var removed = RemovedMembers()
        for change in changes {
            let id = change.id
            switch id.family {
            case .provider:
                if isReplaced(id.name, since: earlier) { removed.providers.append(id.name) }
            case .client:
                guard let (provider, name) = id.providerAndMember, !isReplaced(provider, since: earlier),
                    let old = earlier.providers[provider]?.client(name)
                else { continue }
                guard let new = providers[provider]?.client(name) else {
                    removed.clients[provider, default: []].append(name)
                    continue
                }
                if new.endsRegistration(of: old) { removed.registrations[provider, default: []].append(name) }
            case .person:
                guard let (provider, name) = id.providerAndMember, !isReplaced(provider, since: earlier),
                    let person = earlier.providers[provider]?.person(named: name)
                else { continue }
                let subject = providers[provider]?.person(named: name)?.subject
                if subject?.equals(person.subject) != true { removed.people[provider, default: []].append(name) }
            case .account, .user, .group, .role, .policy, .instanceProfile, .device, .trust, .samlTrust, .mobile, .vending, .appServer,
                .credentialSource, .identityPool, .userPool:
                continue
            }
        }
        return removed
    }

    /// Returns whether an earlier version had a provider with a name which is not the same here.
    private func isReplaced(_ name: String, since earlier: Directory) -> Bool {
        guard let old = earlier.providers[name] else { return false }
        guard let new = providers[name] else { return true }
        return old.kind != new.kind || old.issuer.map { TextKey($0) } != new.issuer.map { TextKey($0) }
    }
}

extension Client {
    /// Returns whether the registration of an earlier version of the client ended: its registration access token would read the new secret.
    ///
    /// A client that changes its own registration remains openly registered, and keeps its secret or gives it up (RFC 7592 section 2.2).
    fileprivate func endsRegistration(of earlier: Client) -> Bool {
        if earlier.isOpenlyRegistered == true, isOpenlyRegistered != true { return true }
        guard let old = earlier.secret, let secret else { return false }
        return !constantTimeEquals(old, secret)
    }
}

extension Directory.Change {
    /// The identity of the record that is put or removed.
    fileprivate var id: DirectoryRecord.ID {
        switch self {
        case .put(let record): record.id
        case .remove(let id): id
        }
    }
}
