import Calls
import Directory
import Federation
import HTTPTypes
import WireFormats

/// A mail address of a user, as the REST API lists it.
///
/// The addresses are those of the claim `emails`, whose members have the names of the API. Without it, there is the one of the claim
/// `email`, which is private.
struct GitHubEmail: Equatable {
    var address: String
    var isPrimary: Bool
    var isVerified: Bool
    /// Whether the profile shows the address, `public` or `private`; `nil` for further addresses.
    var visibility: String?

    /// Returns the addresses of a person.
    static func all(of person: Person) -> [GitHubEmail] {
        if let list = person.claims["emails"]?.arrayValue { return list.compactMap { GitHubEmail($0) } }
        guard let address = person.claims["email"]?.stringValue else { return [] }
        let isVerified = person.claims["email_verified"]?.boolValue ?? true
        return [GitHubEmail(address: address, isPrimary: true, isVerified: isVerified, visibility: "private")]
    }

    /// Returns whether a person may get tokens: the primary address is verified, or there is none.
    static func isPrimaryVerified(of person: Person) -> Bool { all(of: person).first(where: \.isPrimary)?.isVerified ?? true }

    /// Returns the address on a person's profile; `nil` if it is private.
    static func publicAddress(of person: Person) -> String? { all(of: person).first { $0.visibility == "public" }?.address }

    private init(address: String, isPrimary: Bool, isVerified: Bool, visibility: String?) {
        self.address = address
        self.isPrimary = isPrimary
        self.isVerified = isVerified
        self.visibility = visibility
    }

    private init?(_ claim: JSONValue) {
        guard let address = claim["email"]?.stringValue else { return nil }
        self.init(
            address: address, isPrimary: claim["primary"]?.boolValue ?? false, isVerified: claim["verified"]?.boolValue ?? true,
            visibility: claim["visibility"]?.stringValue)
    }

    private var json: JSONValue {
        [
            "email": .string(address), "primary": .bool(isPrimary), "verified": .bool(isVerified),
            "visibility": visibility.map(JSONValue.string) ?? .null,
        ]
    }

    /// Returns the response of `GET /user/emails`: one page of the list. (GitHub Docs, "REST API endpoints for emails".)
    static func respond(in visit: Visit) async throws -> Response {
        try await visit.enter("UserEmails")
        let call = GitHubAPICall(
            visit: visit, accepted: ["user", "user:email"], page: "/rest/users/emails#list-email-addresses-for-the-authenticated-user")
        let approval = try await call.approval()
        let page = try GitHubPage(all(of: approval.person), query: visit.query())
        var response = call.answer(.array(page.items.map(\.json)), to: approval)
        response.headers[.link] = page.links(at: visit.gitHubAPI + "/user/emails")
        return response
    }
}
