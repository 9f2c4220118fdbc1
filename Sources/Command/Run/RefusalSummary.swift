import Cloud
import Synchronization
import WireFormats

/// The denied and failed requests of a run: count, operation, caller and reason, one group for each cause. A reset of the cloud does not clear it.
struct RefusalSummary: Sendable {
    private struct Call: Hashable {
        var text: String
        /// Why it was refused, without the resource. Requests that failed for different causes are different defects.
        var cause: String?
        /// Whether policies denied it and it was allowed anyway.
        var isServed: Bool
    }

    /// The most distinct requests that are listed; further ones are only counted.
    private static let capacity = 200

    /// Requests with the same cause.
    private struct Group {
        var call: Call
        /// The reason of the first request.
        var reason: String?
        /// The resource that policies denied to the first request.
        var resource: String?
        var count = 1
        var hasOtherResources = false
    }

    /// The groups in order of first appearance.
    private var groups: [Group] = []
    private var places: [Call: Int] = [:]
    private var furtherCount = 0

    mutating func note(_ entry: JournalEntry) {
        guard entry.isRefused || entry.isReported, entry.face != "control" else { return }
        let caller = entry.caller.map { " by \($0)" } ?? ""
        let error = entry.isReported ? "would be denied" : entry.errorCode ?? "status \(entry.status)"
        let call = Call(
            text: "\(entry.face):\(entry.operation ?? entry.method)\(caller): \(error)", cause: entry.sharedReason,
            isServed: entry.isReported)
        let resource = entry.denial?.resource
        if let place = places[call] {
            groups[place].count += 1
            if groups[place].resource != resource { groups[place].hasOtherResources = true }
        } else if groups.count < Self.capacity {
            places[call] = groups.count
            groups.append(Group(call: call, reason: entry.reason, resource: resource))
        } else {
            furtherCount += 1
        }
    }

    var lines: [String] {
        let refused = count { !$0.isServed } + furtherCount
        let served = count { $0.isServed }
        var lines: [String] = []
        switch (refused, served) {
        case (0, 0): return ["virga: no calls were refused"]
        case (_, 0): lines = ["virga: \(Self.calls(refused)) refused"]
        case (0, _): lines = ["virga: \(Self.calls(served)) served that policies deny"]
        default: lines = ["virga: \(Self.calls(refused)) refused, and \(Self.calls(served)) served that policies deny"]
        }
        for group in groups {
            lines.append("  \(group.count) × \(group.call.text.visible)")
            if let reason = group.reason { lines.append("      \(reason.visible)") }
            if group.hasOtherResources { lines.append("      and the same on other resources") }
        }
        if furtherCount > 0 { lines.append("  \(furtherCount) × others") }
        return lines
    }

    private func count(where fits: (Call) -> Bool) -> Int { groups.reduce(0) { $0 + (fits($1.call) ? $1.count : 0) } }

    private static func calls(_ number: Int) -> String { "\(number) \(number == 1 ? "call was" : "calls were")" }
}

/// Collects the refused requests while a command runs.
final class Refusals: Sendable {
    private let state = Mutex(RefusalSummary())

    func note(_ entry: JournalEntry) { state.withLock { $0.note(entry) } }

    var summary: RefusalSummary { state.withLock { $0 } }
}
