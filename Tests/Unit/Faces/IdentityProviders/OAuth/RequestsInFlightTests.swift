import Cloud
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

/// A member of a provider that is removed, and added again under the same name, while a request is in flight.
enum Member: String, CaseIterable {
    case provider, client, person

    func replace(at name: String, client id: String, person: String = "alice", in cloud: Cloud) async throws {
        let provider = try #require(cloud.directory.providers[name])
        switch self {
        case .provider:
            try await cloud.edit { $0.remove(DirectoryRecord.ID(.provider, name)) }
            try await cloud.edit { $0.put(.provider(provider)) }
        case .client:
            let client = try #require(provider.client(id))
            try await cloud.edit { $0.removeClient(id, at: name) }
            try await cloud.edit { $0.put(client, at: name) }
        case .person:
            let person = try #require(provider.person(named: person))
            try await cloud.edit { $0.removePerson(person.name, at: name) }
            try await cloud.edit { $0.put(person, at: name) }
        }
    }
}

/// An error in the format of RFC 6749 section 5.2.
struct ExpectedError: Sendable {
    var code: String
    var description: String

    static let unknownClient = ExpectedError(code: "invalid_client", description: "The client is unknown or its secret is wrong.")
    static let unknownProvider = ExpectedError(code: "unknown_provider", description: "There is no identity provider of this name.")

    var json: JSONValue { ["error": .string(code), "error_description": .string(description)] }
}

/// A form for an endpoint of the company that issues something.
struct IssuingForm: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var path = "token"
    /// Returns the form with what is valid now.
    var make: @Sendable (Cloud, Applicant) async throws -> FormFields
    var unknownClient = ExpectedError.unknownClient
    /// The error for an unknown user; `nil` if the form concerns none.
    var unknownUser: ExpectedError?
    /// Whether the form can be sent again after it was refused.
    var isRepeatable = true

    @Sendable private static func code(_ cloud: Cloud, _ applicant: Applicant) async throws -> FormFields {
        let request = Requests.company.with(["client_id": applicant.id, "scope": "openid offline_access"])
        let code = try #require(try await Visitor(cloud).authorize("company/authorize", request).redirected["code"])
        let form: FormFields = ["grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI]
        return form.with(applicant.credentials)
    }

    private static func tokens(_ cloud: Cloud, _ applicant: Applicant) async throws -> Answer {
        let answer = try await Visitor(cloud).post("company/token", try await code(cloud, applicant))
        #expect(answer.status == 200, "\(answer.body)")
        return answer
    }

    private static func password(_ scope: String) -> @Sendable (Cloud, Applicant) async throws -> FormFields {
        { cloud, applicant in
            let alice = try #require(cloud.directory.providers["company"]?.person(named: "alice"))
            let form: FormFields = ["grant_type": "password", "username": alice.name, "password": alice.password, "scope": scope]
            return form.with(applicant.credentials)
        }
    }

    private static func exchange(for type: String) -> @Sendable (Cloud, Applicant) async throws -> FormFields {
        { cloud, applicant in
            let form: FormFields = [
                "grant_type": FurtherGrant.tokenExchange.rawValue, "subject_token": try await tokens(cloud, applicant).accessToken,
                "subject_token_type": "urn:ietf:params:oauth:token-type:access_token",
                "requested_token_type": "urn:ietf:params:oauth:token-type:\(type)",
            ]
            return form.with(applicant.credentials)
        }
    }

    @Sendable private static func device(_ cloud: Cloud, _ applicant: Applicant) async throws -> FormFields {
        let visitor = Visitor(cloud)
        let begun = try await visitor.post("company/device_authorization", applicant.credentials.with(["scope": "openid offline_access"]))
        let login = try await visitor.get("company/device", ["user_code": begun.json["user_code"]?.stringValue ?? ""])
        let consent = try await visitor.press("person", "alice", on: login)
        _ = try await visitor.press("action", "allow", on: consent)
        let form: FormFields = [
            "grant_type": FurtherGrant.deviceCode.rawValue, "device_code": begun.json["device_code"]?.stringValue ?? "",
        ]
        return form.with(applicant.credentials)
    }

    private static let unknownSubject = ExpectedError(
        code: "invalid_request", description: "The subject_token is unknown, has expired or was revoked.")

    static let all = [
        IssuingForm(
            testDescription: "code", make: code,
            unknownUser: ExpectedError(code: "invalid_grant", description: "The user of the code no longer exists.")),
        IssuingForm(
            testDescription: "refresh token",
            make: { cloud, applicant in
                let form: FormFields = [
                    "grant_type": "refresh_token", "refresh_token": try await tokens(cloud, applicant).refreshToken,
                ]
                return form.with(applicant.credentials)
            },
            unknownUser: ExpectedError(
                code: "invalid_grant", description: "The refresh_token is unknown, has expired or was issued to another client.")),
        IssuingForm(
            testDescription: "client credentials",
            make: { _, applicant in applicant.credentials.with(["grant_type": "client_credentials"]) }),
        IssuingForm(
            testDescription: "password", make: password("openid"),
            unknownUser: ExpectedError(code: "invalid_grant", description: "Invalid user credentials")),
        IssuingForm(
            testDescription: "password with offline access", make: password("openid offline_access"),
            unknownUser: ExpectedError(code: "invalid_grant", description: "Invalid user credentials")),
        IssuingForm(
            testDescription: "device code", make: device,
            unknownUser: ExpectedError(code: "invalid_grant", description: "The user of the device_code no longer exists."),
            isRepeatable: false),
        IssuingForm(testDescription: "exchange for an access token", make: exchange(for: "access_token"), unknownUser: unknownSubject),
        IssuingForm(testDescription: "exchange for an ID token", make: exchange(for: "id_token"), unknownUser: unknownSubject),
        IssuingForm(
            testDescription: "assertion",
            make: { _, applicant in
                ["grant_type": FurtherGrant.jwtBearer.rawValue, "assertion": try applicant.assertion(["sub": "alice"]), "scope": "openid"]
            },
            unknownClient: ExpectedError(
                code: "invalid_grant", description: "The assertion's issuer is unknown, or it is not signed with the issuer's key."),
            unknownUser: ExpectedError(code: "invalid_grant", description: "The assertion's subject is not a user of the provider."),
            isRepeatable: false),
        IssuingForm(
            testDescription: "device authorization", path: "device_authorization",
            make: { _, applicant in applicant.credentials.with(["scope": "openid"]) }),
        IssuingForm(
            testDescription: "pushed authorization request", path: "par",
            make: { _, applicant in Requests.company.with(applicant.credentials) }),
    ]
}

@Suite("A request in flight while a provider, a client or a person is removed and added again")
struct RequestsInFlightTests {
    private func applicant(at cloud: Cloud) async throws -> Applicant {
        let applicant = try Applicant()
        try await applicant.register(at: cloud) { $0.jwks = try applicant.jwks }
        return applicant
    }

    @Test("gets the error for an unknown one, and uses up nothing", arguments: IssuingForm.all, Member.allCases)
    func refusal(form: IssuingForm, member: Member) async throws {
        let cloud = try await Visitor.sandbox()
        let applicant = try await applicant(at: cloud)
        let sent = SentForm()
        let answer = try await Visitor(cloud).send(.post, "company/\(form.path)", body: nil) {
            try await member.replace(at: "company", client: applicant.id, in: cloud)
            // What belongs to the new member does not help the old request.
            return await sent.keep(try await form.make(cloud, applicant).encoded)
        }
        let expected: ExpectedError? =
            switch member {
            case .provider: .unknownProvider
            case .client: form.unknownClient
            case .person: form.unknownUser
            }
        if let expected {
            #expect(answer.json == expected.json, "\(answer.body)")
            #expect(answer.entry.errorCode == expected.code)
        } else {
            #expect((200..<300).contains(answer.status), "\(answer.body)")
        }
        let isSpent = expected == nil || !form.isRepeatable
        let next = isSpent ? try await form.make(cloud, applicant).encoded : await sent.form
        let later = try await Visitor(cloud).send(.post, "company/\(form.path)", body: next)
        #expect((200..<300).contains(later.status), "\(later.body)")
    }

    private actor SentForm {
        private(set) var form = ""

        func keep(_ form: String) -> String {
            self.form = form
            return form
        }
    }

    @Test("gets no code and no token from the authorization endpoint", arguments: Company.ResponseType.allCases.filter { $0 != .none })
    func authorization(type: Company.ResponseType) async throws {
        let cloud = try await Company.sandbox { $0.responseTypes = Company.responseTypes }
        let visitor = Visitor(cloud)
        let request = Requests.company.with(["response_type": type.rawValue, "nonce": "n"])
        _ = try await visitor.authorize("company/authorize", request)
        let cookies = visitor.cookies
        let silent = request.with(["prompt": "none"])
        let answer = try await visitor.send(.post, "company/authorize", body: nil) {
            try await Member.client.replace(at: "company", client: "web-app", in: cloud)
            // The user consents to the new client.
            _ = try await Visitor(cloud, cookies: cookies).authorize("company/authorize", request)
            return silent.encoded
        }
        #expect(answer.status == 400)
        #expect(answer.entry.errorCode == "invalid_client", "\(answer.location) \(answer.body)")
        let next = try await visitor.get("company/authorize", silent)
        #expect(next.status == 302)
        #expect(next.redirected["error"] == nil)
    }

    @Test("gets no client and changes none by registration", arguments: [Member.provider, .client])
    func registration(member: Member) async throws {
        let cloud = try await Visitor.sandbox()
        let document = #"{"redirect_uris":["\#(Visitor.redirectURI)"]}"#
        let json: HTTPFields = [.contentType: "application/json"]
        let registered = try await Visitor(cloud).send(.post, "company/register", body: document, headers: json).json
        let id = try #require(registered["client_id"]?.stringValue)
        let token = try #require(registered["registration_access_token"]?.stringValue)
        let changed = #"{"client_id":"\#(id)","client_name":"changed","redirect_uris":["\#(Visitor.redirectURI)"]}"#
        var headers = json
        headers[.authorization] = "Bearer \(token)"
        let replace: @Sendable () async throws -> Void = { try await member.replace(at: "company", client: id, in: cloud) }
        // The token is found with the head of the request.
        let put = try await Visitor(cloud).send(.put, "company/register/\(id)", body: nil, headers: headers) {
            try await replace()
            return changed
        }
        #expect(put.status == (member == .provider ? 404 : 401), "\(put.body)")
        #expect(cloud.directory.providers["company"]?.client(id)?.name == id)
        let count = try #require(cloud.directory.providers["company"]?.clients.count)
        let post = try await Visitor(cloud).send(.post, "company/register", body: nil, headers: json) {
            try await replace()
            return document
        }
        #expect(post.status == (member == .provider ? 404 : 201), "\(post.body)")
        #expect(cloud.directory.providers["company"]?.clients.count == count + (member == .provider ? 0 : 1))
    }

    @Test("does not authenticate by keys that its server returns late")
    func lateKeys() async throws {
        let cloud = try await Visitor.sandbox()
        let applicant = try Applicant(secret: nil)
        let document = JSONValue.object(try applicant.jwks).serializedBytes()
        let applications = Applications(
            fetch: { _ in
                try await Member.client.replace(at: "company", client: applicant.id, in: cloud)
                return FetchedDocument(status: 200, body: document)
            }, post: { _, _ in 500 })
        try await applicant.register(at: cloud) {
            $0.tokenEndpointAuthMethod = "private_key_jwt"
            $0.jwksURI = "https://app.example/keys"
        }
        let visitor = Visitor(cloud, applications: applications)
        let answer = try await visitor.post("company/token", Applicant.form(asserting: try applicant.assertion()))
        let expected = ExpectedError(
            code: "invalid_client", description: "The client is unknown, or the assertion is not signed with its key.")
        #expect(answer.status == 401)
        #expect(answer.json == expected.json)
    }

    @Test("is refused as the error of each social provider", arguments: Redemption.all, Member.allCases)
    func social(redemption: Redemption, member: Member) async throws {
        let cloud = try await Visitor.sandbox()
        let provider = String(redemption.endpoint.prefix { $0 != "/" })
        let client = try #require(redemption.client["client_id"])
        let form: @Sendable () async throws -> FormFields = {
            let answer = try await Visitor(cloud).authorize(redemption.authorization, redemption.request)
            return redemption.client.with(["grant_type": "authorization_code", "code": answer.redirected["code"] ?? ""])
        }
        let answer = try await Visitor(cloud).send(.post, redemption.endpoint, body: nil) {
            try await member.replace(at: provider, client: client, in: cloud)
            return try await form().encoded
        }
        let description = answer.json["error_description"] ?? answer.json["error"]?["message"]
        #expect(description?.stringValue == Self.socialErrors[provider]?[member], "\(answer.body)")
        #expect(try await Visitor(cloud).post(redemption.endpoint, try await form()).status == 200)
    }

    private static let socialErrors: [String: [Member: String]] = [
        "facebook": [
            .provider: ExpectedError.unknownProvider.description,
            .client: "Error validating application. Cannot get application info due to a system error.",
            .person: "Error validating access token: The user has not authorized application 1234567890123456.",
        ],
        "amazon": [
            .provider: ExpectedError.unknownProvider.description, .client: "Client authentication failed",
            .person: "The request has an invalid grant parameter : code",
        ],
        "google": [
            .provider: ExpectedError.unknownProvider.description, .client: "The OAuth client was not found.", .person: "Bad Request",
        ],
    ]

    @Test(
        "is refused by the mint of the control API", arguments: Member.allCases,
        [TokenOrder.Kind.idToken, .accessToken, .refreshToken, .code])
    func onDemand(member: Member, kind: TokenOrder.Kind) async throws {
        let cloud = try await Visitor.sandbox()
        let mint = TokenMint(cloud: cloud)
        try await member.replace(at: "company", client: "web-app", in: cloud)
        var order = TokenOrder(provider: "company", user: "alice")
        (order.client, order.kind) = ("web-app", kind)
        let expected: MintingError =
            switch member {
            case .provider: .unknownProvider("company")
            case .client: .unknownClient("web-app")
            case .person: .unknownUser("alice")
            }
        let asked = order
        await #expect(throws: expected) { try await mint.token(asked, issuerOrigin: Visitor.origin) }
        #expect(try await TokenMint(cloud: cloud).token(asked, issuerOrigin: Visitor.origin).client == "web-app")
    }
}
