import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

/// The actions that all walks share: policies, undoing, and reading credentials. Each returns the place of the page to show.
struct WalkActions {
    let room: PlaygroundRoom
    let info: CloudInfo
    /// The name of the walk that they belong to.
    var walkID: String?

    var visit: Visit { room.visit }
    var sender: Sender { Sender(client: visit.client, trace: walkID.map { WalkTrace(walk: $0) }) }

    func field(_ name: String) -> String { visit.form.first(name) ?? "" }

    /// Performs an action of any walk.
    func perform(_ action: String, in walk: inout Walk) async throws -> String {
        switch action {
        case "save": return try await savePolicy(in: &walk)
        case "undo": return try await undo(in: &walk)
        case "list": return try await list(in: &walk)
        case "read": return try await read(in: &walk)
        case "write": return try await write(in: &walk)
        case "presign": return try await presign(in: &walk)
        case "delete": return try await delete(in: &walk)
        case "request": return try await request(in: &walk)
        case "break": return try await Experiments(actions: self).run(in: &walk)
        default:
            let course = walk.course
            guard let place = try await course.perform(action, by: self, in: &walk) else { throw ConsoleRefusal.noSuchAction }
            return place
        }
    }

    /// Returns a new walk.
    func start(_ course: any WalkCourse) throws -> Walk {
        Walk(id: try walkID ?? WalkStore.newID(), generation: info.generation, created: .now(), course: course)
    }

    // MARK: Tokens and credentials

    /// Returns a token of the control API.
    /// - Parameter members: further members of `POST /_virga/tokens`.
    func token(provider: String, person: String, _ members: JSONObject) async throws -> (answer: ControlAnswer, expires: Int64?) {
        var order = members
        order["provider"] = .string(provider)
        order["user"] = .string(person)
        let answer = await visit.client.post("/tokens", .object(order))
        if let refusal = answer.refusal { throw refusal }
        return (answer, info.nowMilliseconds + answer.document(IssuedTokenMembers.self).lifetime * 1000)
    }

    /// Returns the credentials of step 2.
    func credentials(of walk: Walk) throws -> WalkCredentials {
        guard let credentials = walk.credentials else {
            throw ConsoleRefusal(code: "no_credentials", message: "Get credentials first. This uses them.")
        }
        return credentials
    }

    /// Reads the credentials of a successful answer of AWS's STS.
    /// - Parameter operation: the name of the operation.
    func credentials(in exchange: Exchange, of operation: String) -> WalkCredentials? {
        let result = exchange.xml?.child("\(operation)Result")
        guard exchange.isSuccess, let credentials = result?.child("Credentials"), let key = credentials.child("AccessKeyId")?.text,
            let secret = credentials.child("SecretAccessKey")?.text, let token = credentials.child("SessionToken")?.text
        else { return nil }
        return WalkCredentials(
            accessKeyID: key, secretAccessKey: secret, sessionToken: token,
            expires: credentials.child("Expiration").flatMap { Timestamp(iso8601: $0.text)?.milliseconds }, received: info.nowMilliseconds,
            arn: result?.child("AssumedRoleUser")?.child("Arn")?.text ?? "")
    }

    /// Keeps the answer of step 2. With credentials it lists the person's folder at once.
    /// - Parameter resource: an action and a resource that the condition keys of the session are asked for.
    func finishAssuming(
        _ exchange: Exchange, _ credentials: WalkCredentials?, in walk: inout Walk,
        about resource: (action: String, resource: String) = ("s3:ListAllMyBuckets", "*")
    ) async throws -> String {
        walk.assumption = exchange
        guard var credentials else { return "#step-2" }
        credentials.claims = await claims(of: credentials, resource)
        walk.credentials = credentials
        try await browse(&walk)
        return "#step-3"
    }

    /// Returns the condition keys of a session.
    private func claims(of credentials: WalkCredentials, _ resource: (action: String, resource: String)) async -> [String: [String]] {
        let answer = await visit.client.post(
            "/explain",
            ["as": .string(credentials.accessKeyID), "action": .string(resource.action), "resource": .string(resource.resource)])
        let members = answer.document(DecisionMembers.self).session?.claims.objectValue?.members ?? []
        return members.reduce(into: [:]) { claims, member in
            claims[member.name] = member.value.arrayValue?.compactMap(\.stringValue) ?? []
        }
    }

    /// Reads the fields of step 2, and forgets what the last answer gave.
    func readOrder(in walk: inout Walk) -> String {
        var order = AssumeOrder()
        order.roleARN = field("role")
        order.sessionName = field("session")
        order.duration = field("duration")
        order.providerID = field("provider-id")
        order.policy = field("policy")
        let text = field("token").filter { !$0.isWhitespace }
        order.token = text == walk.token?.text ? "" : text
        walk.order = order
        (walk.credentials, walk.access, walk.presignedURL, walk.files) = (nil, nil, nil, WalkFiles(store: walk.files.store))
        return text.isEmpty ? walk.token?.text ?? "" : text
    }

    // MARK: Policies

    /// Saves a policy of the role. The first change keeps the original.
    private func savePolicy(in walk: inout Walk) async throws -> String {
        let name = field("name")
        let place = Walk.PolicyPlace(role: field("role-name"), policy: name.isEmpty ? nil : name)
        let anchor = place.policy == nil ? "#step-2" : "#step-3"
        let keeper = walk.course.keeper(self)
        try await keepOriginal(of: place, in: &walk, keeper)
        do {
            try await keeper.put(field("document"), at: place)
        } catch let refusal as ConsoleRefusal {
            throw ConsoleRefusal(code: refusal.code, message: "The policy was not saved. \(refusal.message)")
        }
        if place.policy != nil, walk.credentials != nil { try await browse(&walk) }
        return "?done=saved" + anchor
    }

    /// Keeps a policy as it is before the first change.
    private func keepOriginal(of place: Walk.PolicyPlace, in walk: inout Walk, _ keeper: any PolicyKeeper) async throws {
        guard walk.originals[place] == nil, let role = try await keeper.roles().first(where: { $0.name == place.role }) else { return }
        guard let policy = place.policy else {
            walk.originals[place] = role.trustPolicy
            return
        }
        walk.originals[place] = try await keeper.complete(role).policies.first { $0.name == policy }?.document
    }

    /// Restores every policy that the walk changed, removes its errors on demand and undoes agings.
    private func undo(in walk: inout Walk) async throws -> String {
        let keeper = walk.course.keeper(self)
        for (place, document) in walk.originals { try await keeper.put(document, at: place) }
        walk.originals = [:]
        // What policies that are gone decided is not shown any more.
        (walk.access, walk.presignedURL) = (nil, nil)
        if walk.assumption?.isSuccess == false { walk.assumption = nil }
        await removeFaults()
        if walk.hasAged { _ = try await HomeActions(visit: visit).resumeClock() }
        walk.results = [:]
        let course = walk.course
        if walk.needsNewToken { try await course.renew(by: self, in: &walk) }
        (walk.hasAged, walk.needsNewToken) = (false, false)
        if walk.credentials != nil { try await browse(&walk) }
        return "?done=undone#step-2"
    }

    // MARK: Errors on demand

    /// The name of the errors on demand that walks add.
    private static let faultName = "playground"

    /// Adds an error on demand, performs the body, and removes the error.
    func withFault(_ rule: JSONObject, _ body: () async throws -> Exchange) async throws -> Exchange {
        var rule = rule
        rule["name"] = .string(Self.faultName)
        let answer = await visit.client.post("/faults", .object(rule))
        if let refusal = answer.refusal { throw refusal }
        do {
            let exchange = try await body()
            await removeFaults()
            return exchange
        } catch {
            await removeFaults()
            throw error
        }
    }

    /// Removes the errors on demand that walks added.
    private func removeFaults() async {
        let faults = await visit.client.get("/faults").document(FaultListMembers.self).faults
        for fault in faults where fault.name == Self.faultName {
            _ = await visit.client.call(.delete, "/faults/\(percentEncoded(fault.id))", nil)
        }
    }
}
