import Calls
import HTTPTypes
import WireFormats

/// The requests of a walk's steps 1 and 2. Each action returns the place of the page to show.
struct WalkActions {
    let room: PlaygroundRoom
    let info: CloudInfo

    var visit: Visit { room.visit }
    var sender: Sender { Sender(client: visit.client) }

    func field(_ name: String) -> String { visit.form.first(name) ?? "" }

    /// The caller that reads and changes policies.
    var roles: RoleReader { RoleReader(sender: sender, root: info.root ?? "") }

    // MARK: Step 1

    /// Exchanges an authorization code, and asks the provider about the user.
    func exchange(code: String, in walk: inout Walk) async throws {
        let provider = walk.provider
        let fields = provider.tokenRequest(
            code: code, redirectURI: room.redirectURI,
            verifier: room.walks.verifier(walk: walk.id, provider: provider.name, session: visit.session))
        let exchange = try await sender.form("Exchange the code for tokens", to: provider.tokenPath, fields)
        walk.login = [exchange]
        let tokens = exchange.json
        guard let text = tokens[provider.tokenMember]?.stringValue else { return }
        var token = WalkToken(text: text, kind: provider.tokenMember, received: info.nowMilliseconds)
        if let expiry = token.decoded?.claims["exp"]?.integerValue {
            token.expires = expiry * 1000
        } else if let seconds = tokens["expires_in"]?.integerValue {
            token.expires = info.nowMilliseconds + seconds * 1000
        }
        walk.token = token
        if let access = tokens["access_token"]?.stringValue {
            // Amazon's profile and Facebook's /me take the token in the query; all take it as a bearer token.
            walk.login.append(
                try await sender.send(
                    "Get the profile from \(provider.title)", "GET", provider.profilePath, headers: ["Authorization": "Bearer \(access)"]))
        }
        walk.person = Self.person(token, walk.login.last)
    }

    private static func person(_ token: WalkToken, _ profile: Exchange?) -> String? {
        let claims = token.decoded?.claims
        return claims?["name"]?.stringValue ?? profile?.json["name"]?.stringValue ?? claims?["sub"]?.stringValue
    }

    /// Starts a walk with a token that no login issued.
    func startWithoutPage() async throws -> Walk {
        let name = field("provider")
        guard let provider = await WalkProvider.named(name, visit.client) else {
            throw ConsoleRefusal(code: "unknown_provider", message: "There is no provider '\(name)'.", status: .notFound)
        }
        var walk = Walk(id: try WalkStore.newID(), generation: info.generation, created: .now(), provider: provider)
        walk.begin(at: provider)
        _ = try await issueToken(in: &walk)
        return walk
    }

    /// Issues a token without a login, good or bad.
    func issueToken(in walk: inout Walk) async throws -> String {
        let person = field("person")
        walk.begin(at: walk.provider)
        walk.token = try await token(person: person, fault: nil, in: walk)
        walk.person = walk.provider.people.first { $0.name == person }?.fullName ?? person
        walk.order.sessionName = person.isEmpty ? walk.order.sessionName : person
        return "#step-1"
    }

    /// Returns a token of the control API.
    /// - Parameter fault: what is wrong with it; `nil` for a good one.
    func token(person: String, fault: String?, in walk: Walk) async throws -> WalkToken {
        var order: JSONObject = [
            "provider": .string(walk.provider.name), "user": .string(person), "client": .string(walk.provider.clientID),
        ]
        if let fault { order["fault"] = .string(fault) }
        let answer = await visit.client.post("/tokens", .object(order))
        if let refusal = answer.refusal { throw refusal }
        var token = WalkToken(
            text: answer.json["token"]?.stringValue ?? "", kind: answer.json["type"]?.stringValue ?? "", received: info.nowMilliseconds)
        if let seconds = answer.json["expires_in"]?.integerValue { token.expires = info.nowMilliseconds + seconds * 1000 }
        return token
    }

    // MARK: Step 2

    /// Calls `AssumeRoleWithWebIdentity` with the fields of the form. With credentials it lists the person's folder at once.
    func assume(in walk: inout Walk) async throws -> String {
        var order = AssumeOrder()
        order.roleARN = field("role")
        order.sessionName = field("session")
        order.duration = field("duration")
        order.providerID = field("provider-id")
        order.policy = field("policy")
        let text = field("token").filter { !$0.isWhitespace }
        order.token = text == walk.token?.text ? "" : text
        walk.order = order
        (walk.credentials, walk.access, walk.files) = (nil, nil, WalkFiles())
        walk.assumption = try await assumeRole(order, token: text.isEmpty ? walk.token?.text ?? "" : text)
        guard let exchange = walk.assumption, var credentials = Self.credentials(in: exchange, at: info.nowMilliseconds) else {
            return "#step-2"
        }
        credentials.claims = await claims(of: credentials)
        walk.credentials = credentials
        try await browse(&walk)
        return "#step-3"
    }

    /// Sends `AssumeRoleWithWebIdentity`, which is not signed.
    func assumeRole(_ order: AssumeOrder, token: String) async throws -> Exchange {
        var fields: FormFields = [
            "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": order.roleARN, "RoleSessionName": order.sessionName,
        ]
        if !order.duration.isEmpty { fields.fields.append(.init(name: "DurationSeconds", value: order.duration)) }
        if !order.providerID.isEmpty { fields.fields.append(.init(name: "ProviderId", value: order.providerID)) }
        if !order.policy.isEmpty { fields.fields.append(.init(name: "Policy", value: order.policy)) }
        fields.fields.append(.init(name: "WebIdentityToken", value: token))
        return try await sender.form("Get credentials", to: "/", fields)
    }

    /// Reads the credentials of a successful answer.
    /// - Parameter now: the milliseconds of the sandbox's time.
    static func credentials(in exchange: Exchange, at now: Int64) -> WalkCredentials? {
        let result = exchange.xml?.child("AssumeRoleWithWebIdentityResult")
        guard exchange.isSuccess, let credentials = result?.child("Credentials"), let key = credentials.child("AccessKeyId")?.text,
            let secret = credentials.child("SecretAccessKey")?.text, let token = credentials.child("SessionToken")?.text
        else { return nil }
        return WalkCredentials(
            accessKeyID: key, secretAccessKey: secret, sessionToken: token,
            expires: credentials.child("Expiration").flatMap { Timestamp(iso8601: $0.text)?.milliseconds }, received: now,
            arn: result?.child("AssumedRoleUser")?.child("Arn")?.text ?? "")
    }

    /// Returns the condition keys of a session.
    private func claims(of credentials: WalkCredentials) async -> [String: [String]] {
        let answer = await visit.client.post(
            "/explain", ["as": .string(credentials.accessKeyID), "action": "s3:ListAllMyBuckets", "resource": "*"])
        let members = answer.json["session"]?["claims"]?.objectValue?.members ?? []
        return members.reduce(into: [:]) { claims, member in
            claims[member.name] = member.value.arrayValue?.compactMap(\.stringValue) ?? []
        }
    }

    // MARK: Policies

    /// Saves a policy of the role. The first change keeps the original.
    func savePolicy(in walk: inout Walk) async throws -> String {
        let name = field("name")
        let place = Walk.PolicyPlace(role: field("role-name"), policy: name.isEmpty ? nil : name)
        let anchor = place.policy == nil ? "#step-2" : "#step-3"
        try await keepOriginal(of: place, in: &walk)
        let exchange = try await roles.put(field("document"), at: place)
        if let refusal = exchange.refusal {
            throw ConsoleRefusal(code: refusal.code, message: "The policy was not saved. \(refusal.message)")
        }
        if place.policy != nil, walk.credentials != nil { try await browse(&walk) }
        return "?done=saved" + anchor
    }

    /// Keeps a policy as it is before the first change.
    func keepOriginal(of place: Walk.PolicyPlace, in walk: inout Walk) async throws {
        guard walk.originals[place] == nil, let role = try await roles.roles().first(where: { $0.name == place.role }) else { return }
        guard let policy = place.policy else {
            walk.originals[place] = role.trustPolicy
            return
        }
        walk.originals[place] = try await roles.complete(role).policies.first { $0.name == policy }?.document
    }

    /// Restores every policy that the walk changed, removes its errors on demand and undoes ageings.
    func undo(in walk: inout Walk) async throws -> String {
        for (place, document) in walk.originals { _ = try await roles.put(document, at: place) }
        walk.originals = [:]
        await removeFaults()
        if walk.hasAged { _ = try await HomeActions(visit: visit).resumeClock() }
        walk.results = [:]
        if walk.needsNewToken { walk.token = try await token(person: personName(in: walk), fault: nil, in: walk) }
        (walk.hasAged, walk.needsNewToken) = (false, false)
        if walk.credentials != nil { try await browse(&walk) }
        return "?done=undone#step-2"
    }

    /// The name of the errors on demand that walks add.
    static let faultName = "playground"

    /// Removes the errors on demand that walks added.
    func removeFaults() async {
        for fault in await visit.client.get("/faults").json["faults"]?.arrayValue ?? [] where fault["name"]?.stringValue == Self.faultName {
            if let id = fault["id"]?.stringValue { _ = await visit.client.call(.delete, "/faults/\(percentEncoded(id))", nil) }
        }
    }

    /// The user name of the person who is logged in, or of the first person.
    func personName(in walk: Walk) -> String {
        let people = walk.provider.people
        return (people.first { $0.fullName == walk.person || $0.name == walk.person } ?? people.first)?.name ?? ""
    }

    /// Creates a role for a provider that no role trusts.
    func createRole(in walk: inout Walk) async throws -> String {
        let account = info.root?.split(separator: ":", omittingEmptySubsequences: false).dropFirst(4).first.map(String.init) ?? ""
        let buckets = try await sender.send("List buckets", as: .principal(info.root ?? ""), service: "s3", "GET", "/")
        let bucket = buckets.xml?.child("Buckets")?.children(named: "Bucket").first?.child("Name")?.text ?? "personal-files"
        let exchange = try await roles.create(for: walk.provider, account: account, bucket: bucket)
        if let refusal = exchange.refusal { throw ConsoleRefusal(code: refusal.code, message: refusal.message) }
        walk.order.roleARN = ""
        return "?done=saved#step-2"
    }
}
