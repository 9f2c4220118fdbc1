import Calls

/// The clock, and errors on demand.
struct TimeRoom: ConsoleRoom {
    let visit: Visit

    func show() async throws -> Response {
        throw ConsoleRefusal.noSuchPage
    }

    func act() async throws -> Response {
        throw ConsoleRefusal.noSuchAction
    }
}
