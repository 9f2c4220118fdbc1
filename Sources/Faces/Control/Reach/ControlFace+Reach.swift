import Calls
import Cloud
import ControlDocuments
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension ControlFace {
    /// `GET /_virga/reach`: returns who can reach what, from the policies: callers, and for each the buckets and prefixes.
    ///
    /// Each cell is the decision of the authorizer on one request, which `POST /_virga/explain` explains, widened to all values of the
    /// condition keys that neither the caller nor the object decides.
    func answerReach(_ call: Call) async throws -> Response {
        let question = try ReachQuestion(call)
        let (places, isComplete) = try await ReachPlace.all(question, in: call.cloud)
        let (callers, total) = callers(question, call)
        var matrix = ReachMatrix(face: self, call: call, places: places)
        let rows = try callers.map { caller throws(ControlError) in try matrix.row(caller) }
        return .json(
            Document<ReachMembers> {
                [
                    $0.access(question.access.rawValue), $0.total(total), $0.from(question.from), $0.places(places.map(\.document)),
                    $0.complete(isComplete), $0.callers(rows),
                ]
            }.json)
    }

    /// Returns the callers of a question, and the number of all that it could have.
    private func callers(_ question: ReachQuestion, _ call: Call) -> (callers: [ReachCaller], total: Int) {
        let directory = call.cloud.directory
        var (callers, total): ([ReachCaller], Int) = ([], 0)
        func add(_ count: Int, _ make: (Int) -> ReachCaller?) {
            let (first, end) = (max(0, question.from - total), min(count, question.from + question.limit - total))
            if first < end { callers += (first..<end).compactMap(make) }
            total += count
        }
        for kind in question.kinds {
            switch kind {
            case .person:
                for provider in directory.providers.values.sorted(by: { $0.name < $1.name }) {
                    let people = Array(provider.people)
                    add(people.count) { .person(people[$0], provider) }
                }
            case .user:
                let users = directory.users.values.sorted { $0.arn < $1.arn }
                add(users.count) { .user(users[$0]) }
            case .role:
                let roles = directory.roles.values.sorted { $0.arn < $1.arn }
                add(roles.count) { .role(roles[$0]) }
            case .session:
                let sessions = Array(liveSessions().prefix(Self.mostSessions))
                add(sessions.count) { .session(sessions[$0]) }
            case .root:
                let accounts = directory.accounts.values.sorted { $0.id < $1.id }
                add(accounts.count) { .root(accounts[$0]) }
            case .anonymous: add(1) { _ in .anonymous }
            }
        }
        return (callers, total)
    }
}

/// A caller of the matrix.
enum ReachCaller {
    case person(Person, IdentityProvider)
    case user(UserEntry)
    case role(RoleEntry)
    case session(SessionCredentials)
    case root(Account)
    case anonymous
}

/// Decides the cells of who can reach what.
struct ReachMatrix {
    let face: ControlFace
    let call: Call
    let places: [ReachPlace]
    private var decisions = 0
    private var issuers: TextDictionary<[ReachIssuer]> = [:]

    init(face: ControlFace, call: Call, places: [ReachPlace]) {
        self.face = face
        self.call = call
        self.places = places
    }

    /// Returns the row of a caller.
    /// - Throws: ``ControlError`` if there were too many decisions.
    mutating func row(_ caller: ReachCaller) throws(ControlError) -> Document<ReachCallerMembers> {
        // The journal has the call, not its hundreds of decisions.
        let call = Call(request: call.request, peer: call.peer, isSecure: call.isSecure, cloud: call.cloud, names: call.names)
        let directory = call.cloud.directory
        switch caller {
        case .person(let person, let provider): return try row(person, at: provider, call)
        case .user(let entry):
            return try row("user", entry.user.name, entry.arn, directory.caller(named: entry.arn, now: call.received), call)
        case .role(let entry):
            return try row("role", entry.role.name, entry.arn, directory.caller(named: entry.arn, now: call.received), call)
        case .session(let session):
            let live = face.liveCaller(session.accessKeyID)
            return try row("session", live?.arn ?? session.sessionName, session.accessKeyID, live, call)
        case .root(let account): return try row("root", account.name, account.rootARN, .root(account, nil), call)
        case .anonymous: return try row("anonymous", "anonymous", "anonymous", .anonymous, call)
        }
    }

    /// Returns the row of a caller that signs requests itself, or not at all. A session that ended meanwhile reaches nothing.
    private mutating func row(
        _ kind: String, _ name: String, _ id: String, _ caller: Caller?, _ call: Call
    ) throws(ControlError) -> Document<ReachCallerMembers> {
        var cells: [Document<ReachCellMembers>] = []
        for place in places {
            var reach = Reach.denied
            if let caller {
                reach = try decide(caller, at: place, [], call) { key in
                    if OpenKeys.differ(byRequest: key) { return true }
                    switch kind {
                    case "role": return OpenKeys.differ(bySession: key)
                    case "user", "root": return OpenKeys.differ(byDevice: key)
                    default: return false
                    }
                }
            }
            cells.append(Document { [$0.reach(reach.rawValue), $0.through(nil)] })
        }
        let account = caller?.account
        return Document { [$0.kind(kind), $0.name(name), $0.id(id), $0.account(account), $0.ways([]), $0.cells(cells)] }
    }

    /// Returns the row of a person, who reaches what one of the roles reaches that the person can assume.
    private mutating func row(
        _ person: Person, at provider: IdentityProvider, _ call: Call
    ) throws(ControlError) -> Document<ReachCallerMembers> {
        let known = issuers[provider.name] ?? ReachIssuer.all(of: provider, call)
        issuers[provider.name] = known
        let ways = known.flatMap { $0.ways(of: person, call, counting: &decisions) }
        var cells: [Document<ReachCellMembers>] = []
        for place in places {
            var (reach, through) = (Reach.denied, ways.first?.role.arn)
            for way in ways where reach != .allowed {
                guard let caller = call.cloud.directory.caller(named: way.role.arn, now: call.received) else { continue }
                let names = way.keys.map { $0.key.lowercased() }
                let found = try decide(caller, at: place, way.keys, call) { key in
                    OpenKeys.differ(byRequest: key) || OpenKeys.differ(bySession: key) && !names.contains(key)
                }
                if min(found, way.trust) > reach { (reach, through) = (min(found, way.trust), way.role.arn) }
            }
            cells.append(Document { [$0.reach(reach.rawValue), $0.through(through)] })
        }
        let documents = ways.map { way in
            Document<ReachWayMembers> {
                [$0.role(way.role.arn), $0.client(way.client), $0.trust(way.trust.rawValue), $0.context(way.keys.json)]
            }
        }
        return Document {
            [$0.kind("person"), $0.name(person.name), $0.id(provider.name), $0.account(nil), $0.ways(documents), $0.cells(cells)]
        }
    }

    /// Decides a cell.
    /// - Parameters:
    ///   - keys: the condition keys that the caller's session is known to have.
    ///   - isOpen: whether a condition key can have any value.
    private mutating func decide(
        _ caller: Caller, at place: ReachPlace, _ keys: [(key: String, value: String)], _ call: Call, isOpen: (String) -> Bool
    ) throws(ControlError) -> Reach {
        // Keys of one cloud are not valid in the other.
        if let account = caller.account, Vendor(account: account) != place.vendor { return .denied }
        decisions += 1
        guard decisions <= ReachQuestion.mostDecisions else {
            throw ControlError(
                .badRequest, "too_many_decisions",
                "The question needs more than \(ReachQuestion.mostDecisions) decisions. Lower 'limit', or ask for one 'kind' or 'bucket'.")
        }
        let assumption = AccessAssumption(caller: caller, keys: (keys + place.context).conditionKeys)
        let verdict =
            switch place.vendor {
            case .aws: face.decideS3(call, place.action, place.resource, assumption)
            case .alibaba: face.decideOSS(call, place.action, place.resource, assumption)
            }
        guard let verdict else {
            throw ControlError(.notFound, "unknown_action", "No store of this server decides \(place.action).")
        }
        return verdict.reach { key in !place.settledKeys.contains(key) && isOpen(key) }
    }
}
