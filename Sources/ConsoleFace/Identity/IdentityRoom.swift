import Calls

/// Identity: the people, clients and keys of providers, and the users and roles of accounts.
struct IdentityRoom: ConsoleRoom {
    let visit: Visit

    func show() async throws -> Response {
        throw ConsoleRefusal.noSuchPage
    }

    func act() async throws -> Response {
        throw ConsoleRefusal.noSuchAction
    }
}
