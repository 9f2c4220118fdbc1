import Caching
import Synchronization
import WireFormats

/// The policies that were looked up a short time ago, for all sandboxes of the process.
///
/// A call that changes policies makes all of them unknown. What changes them otherwise, at the upstream, counts after a few seconds.
package final class KnownPolicies: Sendable {
    private struct Entry: Sendable {
        let access: ResourceAccess
        let change: Int
        let time: ContinuousClock.Instant
    }

    private let entries = BoundedCache<TextKey, Entry>(capacity: 2000)
    private let changes = Atomic(0)
    private let age: Duration

    /// - Parameter age: how long a policy is known.
    package init(age: Duration = .seconds(5)) { self.age = age }

    /// The number of changes so far.
    package var change: Int { changes.load(ordering: .acquiring) }

    /// Makes all policies unknown. It is called once the upstream has answered a call that changes some.
    package func forget() { changes.add(1, ordering: .acquiringAndReleasing) }

    /// Returns the policies on a resource, if they are known.
    /// - Parameter holder: the ARN of what has the policy.
    package func access(to holder: String) -> ResourceAccess? {
        guard let entry = entries.value(for: TextKey(holder)), entry.change == change, entry.time.duration(to: .now) < age else {
            return nil
        }
        return entry.access
    }

    /// Keeps the policies on a resource.
    /// - Parameter change: the number of changes before they were looked up. A change since then makes them unknown.
    package func keep(_ access: ResourceAccess, of holder: String, since change: Int) {
        entries.insert(Entry(access: access, change: change, time: .now), for: TextKey(holder))
    }
}
