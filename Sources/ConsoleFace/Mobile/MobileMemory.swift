import Calls
import Synchronization
import WireFormats

/// What the pages of the mobile cloud keep between requests: at most 100 tests of APIs, each for two hours, and the settings of the designer.
/// A reset of the cloud ends all.
final class MobileMemory: Sendable {
    private static let limit = 100
    private static let lifetime: Duration = .seconds(7200)

    private struct Kept {
        var generation: Int64 = 0
        var tests: [String: APITest] = [:]
        var credentials: FormFields = [:]
        /// The roles that an API had before *Login Required* was switched off.
        var roles: [String: JSONValue] = [:]
    }

    private let kept = Mutex(Kept())

    private func access<Result: Sendable>(_ generation: Int64, _ body: (inout Kept) -> Result) -> Result {
        kept.withLock { kept in
            if kept.generation != generation {
                kept = Kept()
                kept.generation = generation
            }
            return body(&kept)
        }
    }

    /// Returns a test by its name.
    func test(_ id: String, generation: Int64, at now: Timestamp = .now()) -> APITest? {
        access(generation) { kept in
            kept.tests = kept.tests.filter { $0.value.created + Self.lifetime > now }
            return kept.tests[id]
        }
    }

    /// Keeps a test. The oldest one is dropped if there are too many.
    func keep(_ test: APITest, generation: Int64) {
        access(generation) { kept in
            kept.tests[test.id] = test
            while kept.tests.count > Self.limit, let oldest = kept.tests.values.min(by: { $0.created < $1.created }) {
                kept.tests[oldest.id] = nil
            }
        }
    }

    /// Returns the *Default API Designer Test Credentials*.
    func testCredentials(generation: Int64) -> FormFields { access(generation) { $0.credentials } }

    /// Keeps the *Default API Designer Test Credentials*.
    func keep(testCredentials: FormFields, generation: Int64) { access(generation) { $0.credentials = testCredentials } }

    /// Returns the document of an API from before *Login Required* was switched off, and forgets it.
    func takeDocument(of api: String, generation: Int64) -> JSONValue? { access(generation) { $0.roles.removeValue(forKey: api) } }

    /// Keeps the document of an API whose *Login Required* is switched off.
    func keep(document: JSONValue, of api: String, generation: Int64) {
        access(generation) { kept in
            if kept.roles.count >= Self.limit { kept.roles = [:] }
            kept.roles[api] = document
        }
    }
}
