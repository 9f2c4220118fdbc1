import Calls

/// The pages of the mobile cloud, under their names in Oracle Mobile Cloud Service.
struct MobileRoom: ConsoleRoom {
    let visit: Visit

    func show() async throws -> Response {
        throw ConsoleRefusal.noSuchPage
    }

    func act() async throws -> Response {
        throw ConsoleRefusal.noSuchAction
    }
}
