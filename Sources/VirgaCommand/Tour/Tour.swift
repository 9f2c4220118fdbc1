import RequestSigning
import WireFormats

/// The personal file store, walked from the login page to the stored object, and into every wall on the way.
struct Tour: Sendable {
    static let bucket = "personal-files"

    let client: CloudClient
    let paper: TourPaper
    /// What the control API asks for, if it does.
    let controlToken: String?

    /// Walks everything; ends at the first answer that is not the one it should be.
    func walk() async throws {
        paper.title("Personal File Store at \(client.endpoint)")
        paper.note("People log in at four identity providers; each may use only the folder named after them.")
        for provider in TourProvider.all { try await chain(provider) }
        try await walls()
        Output.line("")
        Output.line("Every answer was the expected one.")
    }

    /// Log in, exchange, store.
    private func chain(_ provider: TourProvider) async throws {
        paper.stop("\(provider.title): alice logs in, takes a role, keeps a file")
        var login = TourLogin(client: client, paper: paper)
        let token = try await login.token(at: provider, user: "alice")
        let session = try await assumeRole(provider, token)
        let key = "/\(Self.bucket)/\(session.subject)/notes.txt"
        let put = try await client.send(signedBy: session.signer, "PUT", key, body: "Hello from \(provider.title)")
        paper.request("PUT", key, put.status, "ETag \(put.field("etag") ?? "none")")
        let get = try await client.send(signedBy: session.signer, "GET", key)
        paper.request("GET", key, get.status, get.body)
        let list = try await self.list(session, prefix: session.subject + "/")
        try expect(put.status == 200 && get.status == 200 && list.status == 200, "alice could not use her own folder")
    }

    /// What must not work, and what the services say then.
    private func walls() async throws {
        paper.title("The refusals")
        var login = TourLogin(client: client, paper: TourPaper())
        paper.stop("A session of alice at the company's issuer")
        let token = try await login.token(at: .company, user: "alice")
        let session = try await assumeRole(.company, token)

        paper.stop("Somebody else's folder")
        let foreign = "/\(Self.bucket)/not-\(session.subject)/notes.txt"
        try await refuse(
            try await client.send(signedBy: session.signer, "GET", foreign), "GET", foreign, as: "AccessDenied", explained: true)

        paper.stop("A listing that does not name the own folder")
        try await refuse(try await list(session, prefix: nil), as: "AccessDenied", explained: true)

        paper.stop("A wrong secret")
        var forger = session.signer
        forger.secret += "x"
        let own = "/\(Self.bucket)/\(session.subject)/notes.txt"
        try await refuse(
            try await client.send(signedBy: forger, "GET", own), "GET", own, as: "SignatureDoesNotMatch")

        paper.stop("A forged ID token: one claim changed, the signature kept")
        try await refuse(try await requestRole(.company, try Self.forge(token)), as: "InvalidIdentityToken")

        paper.stop("A Facebook token that alice has revoked")
        var facebook = TourLogin(client: client, paper: paper)
        let access = try await facebook.token(at: .facebook, user: "alice")
        let revocation = try await client.send("DELETE", "/idp/facebook/me/permissions?access_token=\(access)")
        paper.request("DELETE", "/idp/facebook/me/permissions", revocation.status, revocation.body)
        try await refuse(try await requestRole(.facebook, access), as: "IDPRejectedClaim")

        paper.stop("Credentials that have expired: an hour and five minutes pass in the sandbox")
        let aging = try await client.post(json: ["age": "PT1H5M"], to: "/_virga/clock", fields: controlFields)
        paper.request("POST", "/_virga/clock", aging.status, "{\"age\":\"PT1H5M\"}")
        try await refuse(try await client.send(signedBy: session.signer, "GET", own), "GET", own, as: "ExpiredToken")

        paper.stop("A new login, and the file is still there")
        var again = TourLogin(client: client, paper: paper)
        let fresh = try await assumeRole(.company, try await again.token(at: .company, user: "alice"))
        let get = try await client.send(signedBy: fresh.signer, "GET", own)
        paper.request("GET", own, get.status, get.body)
        try expect(get.status == 200, "the new session could not read the file")

        try await alibaba()
    }

    private func list(_ session: TourSession, prefix: String?) async throws -> CloudClient.Answer {
        var query: FormFields = ["list-type": "2"]
        if let prefix { query.fields.append(.init(name: "prefix", value: prefix)) }
        let target = "/\(Self.bucket)?\(query.encoded)"
        let answer = try await client.send(signedBy: session.signer, "GET", target)
        paper.request("GET", target, answer.status, answer.element("KeyCount").map { "KeyCount \($0)" } ?? "")
        return answer
    }

    /// Changes the subject in a token's claims.
    private static func forge(_ token: String) throws -> String {
        let parts = token.split(separator: ".").map(String.init)
        guard parts.count == 3, let bytes = [UInt8](base64url: parts[1]),
            var claims = try JSONValue(parsing: bytes).objectValue
        else { throw Failure(description: "the ID token is not a JWT") }
        claims["sub"] = "somebody-else"
        return [parts[0], JSONValue.object(claims).serializedBytes().base64url, parts[2]].joined(separator: ".")
    }

    var controlFields: [(String, String)] { controlToken.map { [("authorization", "Bearer \($0)")] } ?? [] }

    func expect(_ holds: Bool, _ failure: String) throws {
        guard holds else { throw Failure(description: failure) }
    }
}
