import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// That a person has let an app in.
struct FacebookInstallation {
    let visit: Visit
    let client: Client

    /// Ends everything that the person gave the app, its tokens included, and tells the app where its settings say so. One that does not
    /// take it is noted in the journal. (Meta for Developers, "App Settings", "Deauthorize Callback".)
    func remove(_ person: Person) async throws {
        try await visit.cloud.grants.revokeAll(provider: visit.provider.name, client: client.id, person: person.name)
        guard let url = client.facebook?.deauthorizeCallbackURL, let secret = client.secret else { return }
        let request = SignedRequest(userID: client.facebookID(of: person), issuedAt: visit.cloud.clock.now)
        let form: FormFields = ["signed_request": request.text(secret: secret)]
        if await !visit.applications.post(form.encoded, to: url) { visit.call.note(errorCode: "deauthorize_callback_failed") }
    }
}
