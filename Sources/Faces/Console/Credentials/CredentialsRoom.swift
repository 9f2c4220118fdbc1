import Calls
import WireFormats

/// The doors at which SDKs find credentials.
struct CredentialsRoom: ConsoleRoom {
    let visit: Visit

    func show() async throws -> Response {
        guard visit.segments.count == 1 else { throw ConsoleRefusal.noSuchPage }
        return try await CredentialsPage(visit: visit).response()
    }

    func act() async throws -> Response { throw ConsoleRefusal.noSuchAction }
}
