import Calls

/// The policy simulator: decides requests with saved and unsaved policies.
struct PoliciesRoom: ConsoleRoom {
    let visit: Visit
    let simulations: PageMemory<Simulation>

    func show() async throws -> Response {
        throw ConsoleRefusal.noSuchPage
    }

    func act() async throws -> Response {
        throw ConsoleRefusal.noSuchAction
    }
}
