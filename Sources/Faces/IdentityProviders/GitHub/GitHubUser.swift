import Calls
import Directory
import Federation
import WireFormats

/// A user as the REST API describes it. (GitHub Docs, "REST API endpoints for users".)
struct GitHubUser {
    let visit: Visit
    let person: Person

    /// Returns the response of `GET /user`.
    static func respond(in visit: Visit) async throws -> Response {
        try await visit.enter("User")
        let call = GitHubAPICall(visit: visit, accepted: [], page: "/rest/users/users#get-the-authenticated-user")
        let approval = try await call.approval()
        let user = GitHubUser(visit: visit, person: approval.person)
        return call.answer(.object(user.profile(isPrivate: approval.scopes.contains("user"))), to: approval)
    }

    /// The user name: the claim `login`, or the name at the login page.
    private var login: String { person.claims["login"]?.stringValue ?? person.name }

    /// The members that every mention of a user has.
    var summary: JSONObject {
        let name = percentEncoded(login)
        let url = "\(visit.gitHubAPI)/users/\(name)"
        func link(_ path: String) -> JSONValue { .string("\(url)/\(path)") }
        let avatar = person.claims["picture"]?.stringValue ?? "https://avatars.githubusercontent.com/u/\(person.gitHubID)?v=4"
        return [
            "login": .string(login), "id": .integer(person.gitHubID),
            "node_id": .string(Array("04:User\(person.gitHubID)".utf8).base64),
            "avatar_url": .string(avatar), "gravatar_id": "", "url": .string(url), "html_url": .string("\(visit.gitHubSite)/\(name)"),
            "followers_url": link("followers"), "following_url": link("following{/other_user}"), "gists_url": link("gists{/gist_id}"),
            "starred_url": link("starred{/owner}{/repo}"), "subscriptions_url": link("subscriptions"), "organizations_url": link("orgs"),
            "repos_url": link("repos"), "events_url": link("events{/privacy}"), "received_events_url": link("received_events"),
            "type": "User", "user_view_type": "public", "site_admin": false,
        ]
    }

    /// The names of claims that the profile contains unchanged; absent ones are null.
    private static let claims = ["name", "company", "blog", "location", "email", "hireable", "bio", "twitter_username"]

    /// - Parameter isPrivate: whether the token may read what only the user sees.
    private func profile(isPrivate: Bool) -> JSONObject {
        var profile = summary
        if isPrivate { profile["user_view_type"] = "private" }
        for name in Self.claims { profile[name] = person.claims[name] ?? .null }
        if profile["blog"] == JSONValue.null { profile["blog"] = "" }
        profile["email"] = GitHubEmail.publicAddress(of: person).map(JSONValue.string) ?? .null
        for name in ["public_repos", "public_gists", "followers", "following"] { profile[name] = 0 }
        let created = person.claims["created_at"] ?? "2020-01-01T00:00:00Z"
        profile["created_at"] = created
        profile["updated_at"] = person.claims["updated_at"] ?? created
        guard isPrivate else { return profile }
        for name in ["private_gists", "total_private_repos", "owned_private_repos", "disk_usage", "collaborators"] { profile[name] = 0 }
        profile["two_factor_authentication"] = false
        profile["plan"] = ["name": "free", "space": 976_562_499, "collaborators": 0, "private_repos": 10_000]
        return profile
    }
}
