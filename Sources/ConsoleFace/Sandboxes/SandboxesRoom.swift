import Calls

/// Sandboxes and snapshots, and the view of a class.
struct SandboxesRoom: ConsoleRoom {
    let visit: Visit

    func show() async throws -> Response {
        throw ConsoleRefusal.noSuchPage
    }

    func act() async throws -> Response {
        throw ConsoleRefusal.noSuchAction
    }
}
