import Calls

/// The store: buckets and objects, as an identity that the user chooses.
struct StoreRoom: ConsoleRoom {
    let visit: Visit

    func show() async throws -> Response {
        throw ConsoleRefusal.noSuchPage
    }

    func act() async throws -> Response {
        throw ConsoleRefusal.noSuchAction
    }
}
