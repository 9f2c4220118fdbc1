import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The `login_url` of a test user: opening it logs in as the test user. (Graph API Reference, "Test User".)
struct TestUserLogin {
    let visit: Visit
    /// The test user's identifier in the path.
    let id: String

    func respond() async throws -> Response {
        try await visit.enter("TestUserLogin")
        let person = visit.provider.people.first { person in
            guard let client = person.facebook?.testUserOf.flatMap(visit.provider.client) else { return false }
            return person.subject == id || client.facebookID(of: person) == id
        }
        guard let person else { throw GraphError.unknownAlias(id) }
        visit.call.note(caller: person.name)
        let (_, cookie) = try await BrowserSession.start(for: person, in: visit)
        var response = Response.redirect(to: visit.baseURL + AccessTokenTool.path, headers: .unstored)
        response.headers.append(HTTPField(name: .setCookie, value: Cookie.session.setting(cookie, in: visit)))
        return response
    }
}
