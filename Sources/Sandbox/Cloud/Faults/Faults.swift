import Synchronization
import WireFormats

/// The rules for errors on demand. They are kept only in memory, like the journal: a restart or a reset removes them.
///
/// If no rule can apply, the overhead of a call is one atomic read.
package final class Faults: Sendable {
    private struct State {
        var faults: [StandingFault] = []
        /// The number of rules ever added, so that identifiers are not reused.
        var number = 0
    }

    private let state = Mutex(State())
    private let armed = Atomic<Bool>(false)

    /// Whether any rule can still apply.
    @inline(__always)
    package var isArmed: Bool { armed.load(ordering: .relaxed) }

    /// All rules, in the order in which they were added and are evaluated.
    package var all: [StandingFault] { state.withLock { $0.faults } }

    /// Whether an active rule has a pattern for the caller. Identifying the caller can be expensive.
    package var needCaller: Bool { state.withLock { $0.faults.contains { $0.isLive && $0.rule.caller != nil } } }

    /// Adds a rule, which takes effect with the next call.
    package func add(_ rule: FaultRule) -> StandingFault {
        change { state in
            state.number += 1
            let fault = StandingFault(id: "fault-\(state.number)", rule: rule)
            state.faults.append(fault)
            return fault
        }
    }

    /// Removes a rule.
    /// - Returns: whether there was a rule with this identifier.
    package func remove(_ id: String) -> Bool {
        change { state in
            guard let index = state.faults.firstIndex(where: { $0.id == id }) else { return false }
            state.faults.remove(at: index)
            return true
        }
    }

    /// Replaces the rules by those of another sandbox, with their counters.
    package func copy(from other: Faults) {
        let copied = other.state.withLock { $0 }
        change { $0 = copied }
    }

    /// Removes every rule.
    package func removeAll() { change { $0.faults.removeAll() } }

    /// Returns the rules that apply to a call, and counts them: those that only delay it, up to the first that ends it.
    package func apply(_ call: FaultableCall) -> [StandingFault] {
        change { state in
            var applied: [StandingFault] = []
            for index in state.faults.indices where state.faults[index].isLive && state.faults[index].rule.fits(call) {
                guard state.faults[index].meet() else { continue }
                applied.append(state.faults[index])
                if state.faults[index].rule.isFinal { break }
            }
            return applied
        }
    }

    private func change<T: Sendable>(_ body: (inout State) -> T) -> T {
        state.withLock { state in
            let result = body(&state)
            armed.store(state.faults.contains(where: \.isLive), ordering: .relaxed)
            return result
        }
    }
}
