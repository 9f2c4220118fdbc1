import Cloud
import Exchange
import Federation
import WireFormats

/// That a person has let an app in.
struct FacebookInstallation {
    let visit: Visit
    let client: Client

    /// Ends everything that the person gave the app, its tokens included.
    func remove(_ person: Person) async throws {
        try await visit.cloud.grants.revokeAll(provider: visit.provider.name, client: client.id, person: person.name)
    }
}
