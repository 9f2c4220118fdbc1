package import Directory
import Synchronization
package import WireFormats

/// The last use of each long-term access key: time, region and service.
///
/// Every signed request records one, so they are kept in memory. They are written to the records when the sandbox is closed.
package final class KeyUses: Sendable {
    private struct State {
        var uses: [String: AccessKey.LastUse] = [:]
        /// The latest use that was recorded. Most uses are the same, and comparing texts is cheaper than hashing one.
        var latest: (key: String, use: AccessKey.LastUse)?
    }

    private let state = Mutex(State())

    /// Records that a key signed a request.
    package func note(_ key: String, service: String, region: String, at time: Timestamp) {
        // To the second, as agings are.
        let use = AccessKey.LastUse(time: Timestamp(seconds: time.seconds), service: service, region: region)
        state.withLock { state in
            if let latest = state.latest, latest.key == key, latest.use == use { return }
            state.latest = (key, use)
            state.uses[key] = use
        }
    }

    /// Returns the last use of a key: since the sandbox was opened, or else from its record.
    package func lastUse(of key: AccessKey) -> AccessKey.LastUse? { state.withLock { $0.uses[key.id] } ?? key.lastUsed }

    var all: [String: AccessKey.LastUse] { state.withLock { $0.uses } }

    func forget() {
        state.withLock { $0 = State() }
    }
}

extension AccessKey.LastUse {
    /// Returns the effective time of the use, to the minute as the services report it.
    package func reportedTime(by clock: SandboxClock) -> Timestamp { Timestamp(seconds: clock.effective(time).seconds / 60 * 60) }
}

extension Cloud {
    /// Writes the recorded uses to the records of the keys.
    func keepKeyUses() async throws {
        let uses = keyUses.all
        guard !uses.isEmpty else { return }
        try await edit { directory in
            for (id, use) in uses {
                switch directory.keys[id] {
                case .user(let entry, _):
                    // The current record: another key of the same user may have changed it in this loop.
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
