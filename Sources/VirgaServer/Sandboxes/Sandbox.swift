import Cloud
import ControlFace
import NIOCore
import Seeds
import Synchronization
import WireFormats

/// A sandbox: a name and an address, and the world behind them, which can be evicted and replaced.
final class Sandbox: Sendable {
    /// What is known of the sandbox while it is not open.
    struct Record: Sendable {
        /// What it was made from.
        var from: String
        var created: Timestamp
        var expires: Timestamp?
        /// The number of the folder that holds its state; `nil` for the one of the process itself.
        var world: Int?
        /// The seeds that a reset applies.
        var seeds: [Seed]
        /// The text of its own seed; `nil` if it has the seeds of the process.
        var seedFile: SeedFile?
        /// The sandboxes that it was copied from.
        var ancestors: Set<String> = []
        /// Opens its own control calls.
        var token: String?
        /// The ports of its own, which the next process opens again.
        var ports: [Int] = []
    }

    private struct State {
        var record: Record
        var world: World?
        /// The evicted world, as long as requests use it.
        weak var leaving: World?
        var listeners: [any Channel] = []
        var isRemoved = false
    }

    /// The name.
    let name: String
    /// Serializes what opens, evicts, replaces and removes the world.
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

    /// The listeners of its own ports, plain first.
    var listeners: [any Channel] { state.withLock { $0.listeners } }

    func add(_ listener: any Channel) { state.withLock { $0.listeners.append(listener) } }

    /// The numbers of its own ports, plain first.
    var ports: [Int] { listeners.compactMap { $0.localAddress?.port } }

    /// When it last answered a request; `nil` if it has not.
    var used: Timestamp? {
        let milliseconds = lastUse.load(ordering: .relaxed)
        return milliseconds == 0 ? nil : Timestamp(milliseconds: milliseconds)
    }

    /// Notes a request.
    func use() { lastUse.store(Timestamp.now().milliseconds, ordering: .relaxed) }

    /// Opens the door to a world, in place of the one before.
    /// - Returns: the world before, unless it is evicted and no request uses it.
    func open(_ world: World, _ record: Record) -> World? {
        state.withLock { state in
            defer { (state.world, state.record, state.leaving) = (world, record, nil) }
            return state.world ?? state.leaving
        }
    }

    /// Takes the world out, to be closed. As long as requests use it, ``adopt()`` takes it back.
    func evict() -> World? {
        state.withLock { state in
            guard let world = state.world else { return nil }
            state.record.seeds = world.cloud.seeds
            (state.world, state.leaving) = (nil, world)
            return world
        }
    }

    /// Takes the evicted world back, if requests still use it.
    func adopt() -> World? {
        state.withLock { state in
            guard state.world == nil, let world = state.leaving else { return nil }
            (state.world, state.leaving) = (world, nil)
            return world
        }
    }

    /// Takes the world out for good.
    func remove() -> World? {
        state.withLock { state in
            defer { (state.world, state.isRemoved) = (nil, true) }
            return state.world ?? state.leaving
        }
    }
}
