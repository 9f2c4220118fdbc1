import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// The relation between a user and an app that the user has approved.
struct FacebookInstallation {
    let visit: Visit
    let client: Client

    /// Revokes everything that the user granted the app, including its tokens, and calls the app's deauthorize callback if it has one. The
    /// journal records a failed callback. (Meta for Developers, "App Settings", "Deauthorize Callback".)
    func remove(_ person: Person) async throws {
        try await visit.cloud.grants.revokeAll(provider: visit.provider.name, client: client.id, person: person.name)
        guard let url = client.facebook?.deauthorizeCallbackURL, let secret = client.secret else { return }
        let request = SignedRequest(userID: client.facebookID(of: person), issuedAt: visit.cloud.clock.now)
        let form: FormFields = ["signed_request": request.text(secret: secret)]
        if await !visit.applications.post(form.encoded, to: url) { visit.call.note(errorCode: "deauthorize_callback_failed") }
    }
}
