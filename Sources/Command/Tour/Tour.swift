import RequestSigning
import WireFormats

/// The tour of the personal file store: from the login page to the stored object, with all expected denials.
struct Tour: Sendable {
    static let bucket = "personal-files"

    let client: CloudClient
    let printer: TourPrinter
    /// The token of the control API, if it requires one.
    let controlToken: String?

    /// Runs all steps; ends at the first unexpected response.
    func walk() async throws {
        printer.title("Personal File Store at \(client.endpoint)")
        printer.note("Users log in at four identity providers; each may use only the folder with their own subject as its name.")
        for provider in TourProvider.all { try await chain(provider) }
        try await refusals()
        Output.line("")
        Output.line("Every response was as expected.")
    }

    /// Logs in, exchanges the token, and stores an object.
    private func chain(_ provider: TourProvider) async throws {
        printer.section("\(provider.title): alice logs in, takes a role, keeps a file")
        var login = TourLogin(client: client, printer: printer)
        let token = try await login.token(at: provider, user: "alice")
        let session = try await assumeRole(provider, token)
        let key = "/\(Self.bucket)/\(session.subject)/notes.txt"
        let put = try await client.send(signedBy: session.signer, "PUT", key, body: "Hello from \(provider.title)")
        printer.request("PUT", key, put.status, "ETag \(put.field("etag") ?? "none")")
        let get = try await client.send(signedBy: session.signer, "GET", key)
        printer.request("GET", key, get.status, get.body)
        let list = try await self.list(session, prefix: session.subject + "/")
        try expect(put.status == 200 && get.status == 200 && list.status == 200, "alice could not use her own folder")
    }

    /// Sends the requests that must fail, and prints the errors.
    private func refusals() async throws {
        printer.title("The refusals")
        var login = TourLogin(client: client, printer: TourPrinter())
        printer.section("A session of alice at the company's issuer")
        let token = try await login.token(at: .company, user: "alice")
        let session = try await assumeRole(.company, token)

        printer.section("Another user's folder")
        let foreign = "/\(Self.bucket)/not-\(session.subject)/notes.txt"
        try await refuse(
            try await client.send(signedBy: session.signer, "GET", foreign), "GET", foreign, as: "AccessDenied", explained: true)

        printer.section("A listing that does not name the own folder")
        try await refuse(try await list(session, prefix: nil), as: "AccessDenied", explained: true)

        printer.section("A wrong secret")
        var forger = session.signer
        forger.secret += "x"
        let own = "/\(Self.bucket)/\(session.subject)/notes.txt"
        try await refuse(
            try await client.send(signedBy: forger, "GET", own), "GET", own, as: "SignatureDoesNotMatch")

        printer.section("A forged ID token: one claim changed, the signature kept")
        try await refuse(try await requestRole(.company, try Self.forge(token)), as: "InvalidIdentityToken")

        printer.section("A Facebook token that alice has revoked")
        var facebook = TourLogin(client: client, printer: printer)
        let access = try await facebook.token(at: .facebook, user: "alice")
        let revocation = try await client.send("DELETE", "/idp/facebook/me/permissions?access_token=\(access)")
        printer.request("DELETE", "/idp/facebook/me/permissions", revocation.status, revocation.body)
        try await refuse(try await requestRole(.facebook, access), as: "IDPRejectedClaim")

        printer.section("Credentials that have expired: an hour and five minutes pass in the sandbox")
        let aging = try await client.post(json: ["age": "PT1H5M"], to: "/_virga/clock", fields: controlFields)
        printer.request("POST", "/_virga/clock", aging.status, "{\"age\":\"PT1H5M\"}")
        try await refuse(try await client.send(signedBy: session.signer, "GET", own), "GET", own, as: "ExpiredToken")

        printer.section("A new login, and the file is still there")
        var again = TourLogin(client: client, printer: printer)
        let fresh = try await assumeRole(.company, try await again.token(at: .company, user: "alice"))
        let get = try await client.send(signedBy: fresh.signer, "GET", own)
        printer.request("GET", own, get.status, get.body)
        try expect(get.status == 200, "the new session could not read the file")

        try await alibaba()
    }

    private func list(_ session: TourSession, prefix: String?) async throws -> CloudClient.Answer {
        var query: FormFields = ["list-type": "2"]
        if let prefix { query.fields.append(.init(name: "prefix", value: prefix)) }
        let target = "/\(Self.bucket)?\(query.encoded)"
        let answer = try await client.send(signedBy: session.signer, "GET", target)
        printer.request("GET", target, answer.status, answer.element("KeyCount").map { "KeyCount \($0)" } ?? "")
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
