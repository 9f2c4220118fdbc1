import Cloud
import ControlFace
import Directory
import NIOCore
import Seeds
import Synchronization
import WireFormats

/// A sandbox: its name, its address and its open state, the world, which can be evicted and replaced.
final class Sandbox: Sendable {
    /// The description of the sandbox, which is also known while it is evicted.
    struct Record: Sendable {
        /// The origin: a seed, a snapshot or another sandbox.
        var from: String
        var created: Timestamp
        var expires: Timestamp?
        /// The number of the folder with its state. `nil` for the data folder itself, or if the description does not say it.
        var world: Int?
        /// The seeds that a reset applies.
        var seeds: [Seed]
        /// The text of its own seed; `nil` if it has the seeds of the process.
        var seedFile: SeedFile?
        /// The sandboxes that it was copied from.
        var ancestors: Set<String> = []
        /// The keys of the template that it was made from, while the process runs; `nil` if it has no template.
        var templateKeys: TemplateKeys?
        /// The root access keys that its accounts have instead of those in seeds, by account ID.
        var rootKeys: [String: AccessKey] = [:]
        /// The token for its own control calls.
        var token: String?
        /// Its own ports, which the next process opens again.
        var ports: [Int] = []
        /// Why it cannot be opened; `nil` if it can.
        var fault: UnreadableDescription?

        /// The number of the folder that is removed with the sandbox. It stays if another description names it too.
        var ownWorld: Int? { fault?.isOfSharedWorld == true ? nil : world }
    }

    private struct State {
        var record: Record
        var world: World?
        /// The evicted world, while requests still use it.
        weak var leaving: World?
        var listeners: [any Channel] = []
        var isRemoved = false
    }

    /// The name.
    let name: String
    /// Serializes opening, evicting, replacing and removing the world.
    let changes = Turnstile()
    private let state: Mutex<State>
    private let lastUse = Atomic<Int64>(0)

    init(name: String, record: Record) {
        self.name = name
        state = Mutex(State(record: record))
    }

    /// The world, if it is open.
    var world: World? { state.withLock { $0.world } }

    var record: Record { state.withLock { $0.record } }

    /// Returns whether a cloud is the present one, open or evicted.
    func has(_ cloud: Cloud) -> Bool { state.withLock { ($0.world ?? $0.leaving)?.cloud === cloud } }

    /// Replaces what is known of the sandbox.
    func describe(_ record: Record) { state.withLock { $0.record = record } }

    var isRemoved: Bool { state.withLock { $0.isRemoved } }

    /// The listeners of its own ports: plain HTTP first.
    var listeners: [any Channel] { state.withLock { $0.listeners } }

    func add(_ listener: any Channel) { state.withLock { $0.listeners.append(listener) } }

    /// The numbers of its own ports: plain HTTP first.
    var ports: [Int] { listeners.compactMap { $0.localAddress?.port } }

    /// The time of the last request; `nil` if there was none.
    var used: Timestamp? {
        let milliseconds = lastUse.load(ordering: .relaxed)
        return milliseconds == 0 ? nil : Timestamp(milliseconds: milliseconds)
    }

    /// Records the time of a request.
    func use() { lastUse.store(Timestamp.now().milliseconds, ordering: .relaxed) }

    /// Replaces the world.
    /// - Returns: the previous world; `nil` if it is evicted and no request uses it.
    func open(_ world: World, _ record: Record) -> World? {
        state.withLock { state in
            defer { (state.world, state.record, state.leaving) = (world, record, nil) }
            return state.world ?? state.leaving
        }
    }

    /// Evicts the world, which closes with its last use. Until then ``adopt()`` makes it the sandbox's world again.
    func evict() -> World? {
        state.withLock { state in
            guard let world = state.world else { return nil }
            state.record.seeds = world.cloud.seeds
            (state.world, state.leaving) = (nil, world)
            return world
        }
    }

    /// Makes the evicted world the sandbox's world again, if requests still use it.
    func adopt() -> World? {
        state.withLock { state in
            guard state.world == nil, let world = state.leaving else { return nil }
            (state.world, state.leaving) = (world, nil)
            return world
        }
    }

    /// Removes the world permanently.
    func remove() -> World? {
        state.withLock { state in
            defer { (state.world, state.isRemoved) = (nil, true) }
            return state.world ?? state.leaving
        }
    }
}
