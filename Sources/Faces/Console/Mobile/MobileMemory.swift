import Calls
import Synchronization
import WireFormats

/// What the pages of the mobile cloud keep between requests: tests of APIs, and the settings of the designer. A reset of the cloud ends all.
final class MobileMemory: Sendable {
    private static let limit = 100

    /// The tests of APIs.
    let tests = PageMemory<APITest>()

    private struct Kept {
        var generation: Int64 = 0
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
