import Calls

/// The policy simulator: who may do what, with policies that are not saved yet.
struct PoliciesRoom: ConsoleRoom {
    let visit: Visit

    func show() async throws -> Response {
        throw ConsoleRefusal.noSuchPage
    }

    func act() async throws -> Response {
        throw ConsoleRefusal.noSuchAction
    }
}
