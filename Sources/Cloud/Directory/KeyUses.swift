import Synchronization
package import WireFormats

/// When, where and for what each long-term access key signed last, to the minute.
///
/// Noted by every signed request and therefore in memory; the records learn it when the sandbox is closed.
package final class KeyUses: Sendable {
    private let uses = Mutex<[String: AccessKey.LastUse]>([:])
    /// Tells whether the last request that was noted was one like this: then there is nothing to note.
    private let latest = Atomic<Int>(0)

    package func note(_ key: String, service: String, region: String, at time: Timestamp) {
        let minute = time.seconds / 60
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(service)
        hasher.combine(region)
        hasher.combine(minute)
        let mark = hasher.finalize()
        guard latest.exchange(mark, ordering: .relaxed) != mark else { return }
        uses.withLock { $0[key] = AccessKey.LastUse(time: Timestamp(seconds: minute * 60), service: service, region: region) }
    }

    /// The last use of a key; what its record says where it has signed nothing since the sandbox was opened.
    package func lastUse(of key: AccessKey) -> AccessKey.LastUse? { uses.withLock { $0[key.id] } ?? key.lastUsed }

    var all: [String: AccessKey.LastUse] { uses.withLock { $0 } }

    func forget() {
        uses.withLock { $0 = [:] }
        latest.store(0, ordering: .relaxed)
    }
}

extension Cloud {
    /// Writes the uses of keys into their records.
    func keepKeyUses() async throws {
        let uses = keyUses.all
        guard !uses.isEmpty else { return }
        try await edit { directory in
            for (id, use) in uses {
                switch directory.keys[id] {
                case .user(let entry, _):
                    // The record as it stands: another key of the same user may have been here before.
                    guard var user = directory.user(entry.user.name, in: entry.user.account)?.user else { continue }
                    for index in user.accessKeys.indices where user.accessKeys[index].id == id { user.accessKeys[index].lastUsed = use }
                    directory.put(.user(user))
                case .root(let owner, _):
                    guard var account = directory.accounts[owner.id] else { continue }
                    for index in account.rootKeys.indices where account.rootKeys[index].id == id { account.rootKeys[index].lastUsed = use }
                    directory.put(.account(account))
                case nil: continue
                }
            }
        }
    }
}
