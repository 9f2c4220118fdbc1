import Calls
import ControlDocuments
import RequestSigning
import WireFormats

/// What the forms of the token debugger do. Each action returns the text to show.
struct TokenActions {
    let visit: Visit
    let info: CloudInfo

    private var sender: Sender { Sender(client: visit.client) }

    private func field(_ name: String) -> String { visit.form.first(name) ?? "" }

    private func new(_ text: String) throws -> PastedText {
        PastedText(id: try PageMemory<PastedText>.newID(), generation: info.generation, created: .now(), text: text)
    }

    /// The expected values of a form, without the empty ones.
    func expected() -> [String: String] {
        ["audience", "recipient", "nonce", "backend", "accessToken"].reduce(into: [:]) { values, name in
            let value = field(name)
            if !value.isEmpty { values[name] = value }
        }
    }

    /// Keeps a pasted text.
    func inspectPasted() async throws -> PastedText {
        let pasted = field("text")
        guard pasted.contains(where: { !$0.isWhitespace }) else {
            throw ConsoleRefusal(code: "nothing_pasted", message: "Paste a token, a SAML response, a presigned URL or a policy.")
        }
        guard pasted.utf8.count <= PastedText.longest else {
            throw ConsoleRefusal(
                code: "text_too_long", message: "A text may have at most \(PastedText.longest) bytes; this one has \(pasted.utf8.count).")
        }
        var text = try new(pasted)
        text.expected = expected()
        let inspection = try await Self.inspect(text, visit.client)
        if let order = TokenRequest(of: inspection) { text.differences = await differences(inspection, from: order) }
        return text
    }

    /// Returns the inspection of a text.
    static func inspect(_ text: PastedText, _ client: ControlClient) async throws -> Document<InspectionMembers> {
        let expected = text.expected.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        let answer = await client.post("/inspect", ["text": .string(text.text), "expect": .object(JSONObject(expected))])
        if let refusal = answer.refusal { throw refusal }
        return answer.document()
    }

    // MARK: Making

    /// Makes a token or SAML response, good or bad.
    func make() async throws -> PastedText {
        let who = field("who").split(separator: "/", omittingEmptySubsequences: false).map { percentDecoded($0) ?? "" }
        guard who.count == 2 else { throw ConsoleRefusal(code: "missing_person", message: "Choose a person.") }
        var order = TokenRequest(provider: who[0], person: who[1])
        let isAssertion = field("kind") == "saml"
        if isAssertion {
            order.serviceProvider = try await serviceProvider(of: order.provider, named: field("receiver"))
        } else {
            order.client = field("receiver").isEmpty ? nil : field("receiver")
            order.isSigned = field("kind") == "jwt"
            order.type = order.isSigned ? "access_token" : field("kind").isEmpty ? nil : field("kind")
            order.nonce = field("nonce").isEmpty ? nil : field("nonce")
        }
        if !field("lifetime").isEmpty {
            guard let seconds = Int64(field("lifetime")) else {
                throw ConsoleRefusal(code: "malformed_lifetime", message: "The lifetime must be a whole number of seconds.")
            }
            order.lifetime = seconds
        }
        let claims = field("claims")
        if claims.contains(where: { !$0.isWhitespace }) {
            let parsed: JSONValue
            do throws(JSONSyntaxError) {
                parsed = try JSONValue(parsing: claims)
            } catch {
                throw ConsoleRefusal(
                    code: "malformed_claims",
                    message: "The claims are not JSON: \(TextPlace(error.offset, in: claims)): \(error.reason.rawValue).")
            }
            guard let object = parsed.objectValue else {
                throw ConsoleRefusal(
                    code: "malformed_claims", message: "The claims must be a JSON object, such as {\"roles\": [\"field\"]}.")
            }
            order.claims = object
        }
        let fault = field("fault").split(separator: ":").map(String.init)
        if fault.count == 2 {
            guard (fault[0] == "saml") == isAssertion else {
                throw ConsoleRefusal(
                    code: "other_fault",
                    message: "This fault is for \(fault[0] == "saml" ? "SAML responses" : "tokens") only. Choose another one.")
            }
            order.fault = fault[1]
        }
        return try await made(order)
    }

    /// Returns the service provider with an entity ID, or the first one of a provider.
    private func serviceProvider(of provider: String, named name: String) async throws -> String {
        if !name.isEmpty { return name }
        let known = try await TokenSource.all(visit.client).first { $0.name == provider }?.serviceProviders ?? []
        guard let first = known.first else {
            throw ConsoleRefusal(
                code: "no_service_provider",
                message: "The provider \(provider) has no SAML service provider. Choose another person, or add one to the seed.")
        }
        return first
    }

    /// Makes what a text is with a fault, or without one.
    func breakOne(_ text: PastedText) async throws -> PastedText {
        let inspection = try await Self.inspect(text, visit.client)
        guard var order = text.order ?? TokenRequest(of: inspection) else {
            throw ConsoleRefusal(code: "not_breakable", message: "This text is no token of a person of this cloud.")
        }
        order.fault = field("fault").isEmpty ? nil : field("fault")
        return try await made(order)
    }

    /// Makes a token, with the expected values that reveal its fault.
    func made(_ order: TokenRequest) async throws -> PastedText {
        var order = order
        var expected: [String: String] = [:]
        if order.fault == "wrongNonce" {
            order.nonce = order.nonce ?? "nonce-of-the-request"
            expected["nonce"] = order.nonce
        }
        if order.fault == "wrongAccessTokenHash" {
            var access = TokenRequest(provider: order.provider, person: order.person)
            (access.client, access.type) = (order.client, "access_token")
            let answer = await visit.client.post("/tokens", access.json)
            if let refusal = answer.refusal { throw refusal }
            expected["accessToken"] = answer.issued
        }
        let answer = await visit.client.post("/tokens", order.json)
        if let refusal = answer.refusal { throw refusal }
        var text = try new(answer.issued ?? "")
        (text.order, text.expected) = (order, expected)
        text.differences = await differences(try await Self.inspect(text, visit.client), from: order)
        return text
    }

    /// Compares an inspection with that of a good token, which is issued now; `nil` if there is nothing to compare.
    private func differences(_ inspection: Document<InspectionMembers>, from order: TokenRequest) async -> [TokenDifference]? {
        guard ["jwt", "saml_response", "saml_assertion"].contains(inspection.kind) else { return nil }
        let answer = await visit.client.post("/tokens", order.good.json)
        guard let text = answer.issued else { return nil }
        let good = await visit.client.post("/inspect", ["text": .string(text)])
        guard good.isSuccess else { return nil }
        var compared: Set<String> = []
        if order.fault == "wrongNonce" { compared = ["nonce"] }
        if order.fault == "wrongAccessTokenHash" { compared = ["at_hash"] }
        return TokenDifference.all(inspection, good: good.document(), compared: compared)
    }

    // MARK: Samples

    /// Makes a text of the kind that a button names.
    func sample() async throws -> PastedText {
        let sources = try await TokenSource.all(visit.client)
        func order(_ isSuited: (TokenSource) -> Bool) throws -> TokenRequest {
            guard let source = sources.first(where: isSuited), let person = source.people.first else {
                throw ConsoleRefusal(code: "no_sample", message: "The seed has no identity provider for this sample.")
            }
            return TokenRequest(provider: source.name, person: person.name)
        }
        switch TokenSample(rawValue: field("sample")) {
        case .idToken: return try await made(order { !$0.isOpaque && !$0.clients.isEmpty })
        case .expired, .forged:
            var order = try order { !$0.isOpaque && !$0.clients.isEmpty }
            order.fault = field("sample") == TokenSample.expired.rawValue ? "expired" : "otherKey"
            return try await made(order)
        case .assertion:
            var order = try order { !$0.serviceProviders.isEmpty }
            order.serviceProvider = sources.first { $0.name == order.provider }?.serviceProviders.first
            return try await made(order)
        case .accessToken: return try await made(order { $0.isOpaque && !$0.clients.isEmpty })
        case .session: return try await pasted(try await session().sessionToken)
        case .presigned:
            let session = try await session()
            let signer = SignatureV4.Signer(
                accessKey: session.accessKeyID, secret: session.secretAccessKey, sessionToken: session.sessionToken, region: "us-east-1",
                service: "s3")
            let authority = visit.place.services.split(separator: "/").last.map { String($0) } ?? ""
            let request = SignableRequest(method: "GET", target: "/personal-files/hello.txt", authority: authority)
            return try await pasted(visit.place.services + signer.presign(request, expires: .seconds(900), at: .now()))
        case .formPolicy:
            let end = Timestamp(milliseconds: info.nowMilliseconds + 3_600_000).iso8601
            return try await pasted(
                Array(#"{"expiration":"\#(end)","conditions":[{"bucket":"personal-files"},["starts-with","$key","uploads/"]]}"#.utf8).base64
            )
        case .policy:
            return try await pasted(
                """
                {
                  "Version": "2012-10-17",
                  "Statement": [
                    {
                      "Effect": "Allow",
                      "Action": ["s3:GetObject", "s3:PutObject"],
                      "Resource": "arn:aws:s3:::personal-files/${accounts.google.com:sub}/*"
                    }
                  ]
                }
                """)
        case nil: throw ConsoleRefusal.noSuchAction
        }
    }

    private func pasted(_ text: String) async throws -> PastedText { try new(text) }

    /// Gets temporary credentials of the root user.
    private func session() async throws -> WalkCredentials {
        guard let root = info.root else {
            throw ConsoleRefusal(code: "no_sample", message: "The seed has no account of AWS for this sample.")
        }
        let exchange = try await sender.form(
            "Get a session token", as: .principal(root), service: "sts", to: "/", ["Action": "GetSessionToken", "Version": "2011-06-15"])
        let credentials = exchange.xml?.child("GetSessionTokenResult")?.child("Credentials")
        guard let key = credentials?.child("AccessKeyId")?.text, let secret = credentials?.child("SecretAccessKey")?.text,
            let token = credentials?.child("SessionToken")?.text
        else { throw ConsoleRefusal(code: exchange.code, message: exchange.refusal?.message ?? "STS returned no credentials.") }
        return WalkCredentials(
            accessKeyID: key, secretAccessKey: secret, sessionToken: token, received: info.nowMilliseconds, arn: root)
    }

    // MARK: Exchange

    /// Exchanges a token or SAML response at STS for credentials of a role.
    func exchange(_ text: PastedText) async throws -> Exchange {
        let inspection = try await Self.inspect(text, visit.client)
        var fields: FormFields = ["Version": "2011-06-15", "RoleArn": field("role")]
        func add(_ name: String, _ value: String) { fields.fields.append(.init(name: name, value: value)) }
        if inspection.kind == "saml_response" {
            add("Action", "AssumeRoleWithSAML")
            add("PrincipalArn", TokenExchange.principal(for: field("role"), in: inspection) ?? field("principal"))
            add("SAMLAssertion", try await Self.base64(of: text, inspection))
        } else {
            add("Action", "AssumeRoleWithWebIdentity")
            add("RoleSessionName", "debugger")
            let name = inspection.decoded["provider"]?.stringValue
            if let id = try await TokenSource.all(visit.client).first(where: { $0.name == name })?.providerID { add("ProviderId", id) }
            let token = text.text.filter { !$0.isWhitespace && !"\"'".contains($0) }
            add("WebIdentityToken", token.lowercased().hasPrefix("bearer") ? String(token.dropFirst("bearer".count)) : token)
        }
        return try await sender.form("Exchange it for credentials", to: "/", fields)
    }

    /// The response as STS wants it, however it was pasted.
    private static func base64(of text: PastedText, _ inspection: Document<InspectionMembers>) async throws -> String {
        if inspection.decoded["encoding"]?.stringValue == "base64" { return text.text.filter { !$0.isWhitespace } }
        return Array((inspection.decoded["xml"]?.stringValue ?? "").utf8).base64
    }
}

/// A text that the empty page offers.
enum TokenSample: String, CaseIterable {
    case idToken, expired, forged, assertion, accessToken, session, presigned, formPolicy, policy

    var title: String {
        switch self {
        case .idToken: "An ID token"
        case .expired: "An expired ID token"
        case .forged: "A forged ID token"
        case .assertion: "A SAML response"
        case .accessToken: "An access token"
        case .session: "A session token"
        case .presigned: "A presigned URL"
        case .formPolicy: "The policy of an upload form"
        case .policy: "A policy document"
        }
    }
}
