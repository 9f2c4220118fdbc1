import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Seeds
import WireFormats

/// `/<app id>/accounts/test-users` and the nodes below it: users that an app creates for its tests.
/// (Graph API Reference, "Application Test Users", "Test User".)
struct TestUsers {
    let request: GraphRequest

    private var visit: Visit { request.visit }

    /// The path where a test user logs in without a password, relative to the provider's base URL.
    static let loginPath = "/checkpoint/test-user-login/"

    /// The most test users of an app, as at Facebook.
    static let most = 2000

    private func document(_ person: Person, of client: Client, token: String?) -> JSONObject {
        let id = client.facebookID(of: person, version: request.version(for: client))
        let base = visit.basePath.isEmpty ? "https://developers.facebook.com" : visit.baseURL
        var document: JSONObject = ["id": .string(id)]
        if let token { document["access_token"] = .string(token) }
        document["login_url"] = .string("\(base)\(Self.loginPath)\(id)/")
        return document
    }

    func create(_ appID: String) async throws -> Response {
        try await visit.enter("CreateTestUser")
        let client = try request.app(appID)
        let name = request.parameters.value("name") ?? "Open Graph Test User"
        let parts = name.split(separator: " ").map(String.init)
        guard !parts.isEmpty, name.allSatisfy({ $0.isLetter || $0 == " " || $0 == "-" || $0 == "'" }) else {
            throw GraphError(message: "(#100) Invalid name specified", code: 100)
        }
        let installed = request.parameters.value("installed").map { ["true", "1"].contains($0.lowercased()) } ?? true
        let permissions = (request.parameters.value("permissions") ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
        let person = try Self.person(parts, locale: request.parameters.value("locale") ?? "en_US", of: client)
        let provider = visit.provider.name
        try await visit.cloud.edit { directory in
            try visit.grantIssuer.check(provider: provider, client: client.id)
            guard let people = directory.providers[provider]?.people else { return }
            guard people.count(.isTestUser(of: TextKey(client.id))) < Self.most else {
                // The wording is Virga's; Facebook documents no error for it.
                throw GraphError(message: "(#100) The app has \(Self.most) test users already", code: 100)
            }
            directory.put(person, at: provider)
        }
        var token: String?
        if installed {
            let scopes = ["public_profile"] + permissions.filter { $0 != "public_profile" && !$0.isEmpty }
            try await Consent(client: client, person: person).add(scopes, in: visit)
            token = try await mint(person, client, scopes)
        }
        var document = document(person, of: client, token: token)
        document["email"] = person.claims["email"]
        document["password"] = .string(person.password)
        return .json(.object(document), headers: .unstored)
    }

    private static func person(_ name: [String], locale: String, of client: Client) throws -> Person {
        let random = try randomBytes(16)
        let letters = random.prefix(8).map { Character(UnicodeScalar(UInt8(ascii: "a") + $0 % 26)) }
        let digits = random.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 100_000_000_000
        // Underscores replace spaces and characters that are not allowed in e-mail addresses.
        let words = name.map { word in String(word.lowercased().map { $0.isASCII && $0.isLetter ? $0 : "_" }) }
        let mail = "\(words[0])_\(String(letters))_\(words.count > 1 ? words[words.count - 1] : "user")@tfbnw.net"
        var claims: JSONObject = ["name": .string(name.joined(separator: " ")), "given_name": .string(name[0])]
        if name.count > 2 { claims["middle_name"] = .string(name[1..<(name.count - 1)].joined(separator: " ")) }
        if name.count > 1 { claims["family_name"] = .string(name[name.count - 1]) }
        claims["email"] = .string(mail)
        claims["locale"] = .string(locale)
        var person = Person(
            name: mail, subject: "1000" + String(digits + 100_000_000_000), password: String(try randomBytes(9).base64url), claims: claims)
        var account = FacebookAccount()
        account.testUserOf = client.id
        person.facebook = account
        return person
    }

    private func mint(_ person: Person, _ client: Client, _ scopes: [String]) async throws -> String {
        try await visit.mint.accessToken(
            Approval(provider: visit.provider, client: client, person: person, scopes: scopes, authenticated: visit.cloud.clock.now))
    }

    func list(_ appID: String) async throws -> Response {
        try await visit.enter("ListTestUsers")
        let client = try request.app(appID)
        var data: [JSONValue] = []
        for person in visit.provider.people where person.facebook?.testUserOf == client.id {
            var token: String?
            if let scopes = try Consent(client: client, person: person).scopes(in: visit) { token = try await mint(person, client, scopes) }
            data.append(.object(document(person, of: client, token: token)))
        }
        return .json(["data": .array(data)], headers: .unstored)
    }

    /// Returns the test user of a path, if the caller is its app or the test user.
    private func testUser(_ id: String) throws -> (Person, Client) {
        let holder = try request.holder()
        guard let person = request.person(id, of: holder.client), person.facebook?.testUserOf == holder.client.id else {
            throw GraphError.unknownAlias(id)
        }
        if case .person(_, let approval) = holder, approval.person.name != person.name { throw GraphError.unknownAlias(id) }
        return (person, holder.client)
    }

    /// Changes the name and the password.
    func change(_ id: String) async throws -> Response {
        let (person, client) = try testUser(id)
        let (name, password) = (request.parameters.value("name"), request.parameters.value("password"))
        guard name != nil || password != nil else { throw GraphError(message: "(#100) Requires name or password", code: 100) }
        let now = visit.cloud.clock.now
        let provider = visit.provider.name
        try await visit.cloud.edit { directory in
            try visit.grantIssuer.check(provider: provider, client: client.id, person: person.name)
            guard var changed = directory.providers[provider]?.person(named: person.name) else { return }
            if let name { changed.claims["name"] = .string(name) }
            if let password {
                changed.password = password
                changed.facebook?.passwordChanged = now
            }
            directory.put(changed, at: provider)
        }
        return success(client)
    }

    func delete(_ id: String) async throws -> Response {
        let (person, client) = try testUser(id)
        for app in visit.provider.clients {
            guard try Consent(client: app, person: person).scopes(in: visit) != nil else { continue }
            try await FacebookInstallation(visit: visit, client: app).remove(person)
        }
        let provider = visit.provider.name
        try await visit.cloud.edit { directory in
            try visit.grantIssuer.check(provider: provider, person: person.name)
            directory.removePerson(person.name, at: provider)
        }
        return success(client)
    }

    private func success(_ client: Client) -> Response {
        request.version(for: client) < GraphVersion(major: 2, minor: 0)
            ? .json(true, headers: .unstored) : .json(["success": true], headers: .unstored)
    }
}
