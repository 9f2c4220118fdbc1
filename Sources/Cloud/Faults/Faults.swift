import Synchronization

/// The errors that were asked for. They live in memory, as the journal does: a restart and a reset forget them.
///
/// A call pays one atomic read where there is no rule that could still strike.
package final class Faults: Sendable {
    private struct State {
        var faults: [StandingFault] = []
        /// Counts all rules there have been, so that no identifier means two.
        var number = 0
    }

    private let state = Mutex(State())
    private let armed = Atomic<Bool>(false)

    /// Whether any rule may still strike.
    @inline(__always)
    package var isArmed: Bool { armed.load(ordering: .relaxed) }

    /// In the order in which they were made, which is the order in which they are asked.
    package var all: [StandingFault] { state.withLock { $0.faults } }

    /// Whether a live rule asks who calls; to find that out may take work.
    package var askCaller: Bool { state.withLock { $0.faults.contains { $0.isLive && $0.rule.caller != nil } } }

    /// Adds a rule, which applies from the next call on.
    package func add(_ rule: FaultRule) -> StandingFault {
        change { state in
            state.number += 1
            let fault = StandingFault(id: "fault-\(state.number)", rule: rule)
            state.faults.append(fault)
            return fault
        }
    }

    /// - Returns: whether there was one of this identifier.
    package func remove(_ id: String) -> Bool {
        change { state in
            guard let index = state.faults.firstIndex(where: { $0.id == id }) else { return false }
            state.faults.remove(at: index)
            return true
        }
    }

    /// Removes every rule.
    package func removeAll() { change { $0.faults.removeAll() } }

    /// The rules that strike a call, counted: those that only make it late, up to the first that ends it.
    package func strike(_ call: FaultableCall) -> [StandingFault] {
        change { state in
            var strikes: [StandingFault] = []
            for index in state.faults.indices where state.faults[index].isLive && state.faults[index].rule.fits(call) {
                guard state.faults[index].meet() else { continue }
                strikes.append(state.faults[index])
                if state.faults[index].rule.isFinal { break }
            }
            return strikes
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
