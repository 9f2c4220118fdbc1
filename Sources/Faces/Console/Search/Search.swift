import ControlDocuments
import WireFormats

/// What exists under a text: pages, identities, buckets, objects and requests.
///
/// The text is data: it is compared with names, and never becomes a path without being encoded.
struct Search {
    /// The most hits of a group.
    private static let most = 20

    let client: ControlClient
    let info: CloudInfo
    let text: String

    /// Something that was found, with its page.
    struct Hit {
        var path: String
        var title: String
        /// What it is.
        var note: String
    }

    /// Hits of one kind.
    struct Group {
        var title: String
        var hits: [Hit]
    }

    /// Returns what was found, without empty groups.
    func groups() async -> [Group] {
        let all = [
            Group(title: "Pages", hits: pages), Group(title: "Identities", hits: await identities()),
            Group(title: "Buckets and objects", hits: await stored()), Group(title: "Requests", hits: await requests()),
        ]
        return all.filter { !$0.hits.isEmpty }.map { Group(title: $0.title, hits: Array($0.hits.prefix(Self.most))) }
    }

    /// Returns whether a name contains the text, in either case.
    private func matches(_ name: String) -> Bool { name.lowercased().contains(text.lowercased()) }

    // MARK: Pages

    private var pages: [Hit] {
        var all = ConsolePage.Section.allCases.map { Hit(path: $0.path, title: $0.rawValue, note: "page") }
        all += PolicyViews.allCases.map { Hit(path: $0.path, title: $0.rawValue, note: "page about policies") }
        all += WalkKind.allCases.map { kind in
            Hit(path: Visit.path("/playground?path=\(kind.rawValue)"), title: kind.title, note: "path of the Playground")
        }
        all.append(Hit(path: SandboxesRoom.classPath, title: "Class", note: "page of Sandboxes"))
        all.append(Hit(path: Visit.path("/journal/sequence"), title: "Sequence diagram", note: "picture of the journal"))
        all.append(Hit(path: CognitoPage.path, title: "Amazon Cognito", note: "page of Identity"))
        return all.filter { matches($0.title) }
    }

    // MARK: Identities

    private func identities() async -> [Hit] {
        var hits: [Hit] = []
        for provider in info.providers where matches(provider.name) || matches(provider.issuer ?? "") {
            hits.append(Hit(path: IdentityScene.path("providers", provider.name), title: provider.name, note: "identity provider"))
        }
        for account in info.accounts {
            let names = [account.id, account.name, account.alias ?? ""] + account.accessKeys
            guard names.contains(where: matches) else { continue }
            let title = account.name.isEmpty ? account.id : "\(account.id), \(account.name)"
            hits.append(Hit(path: IdentityScene.path("accounts", account.id), title: title, note: "account"))
        }
        let principals = await Principal.all(client)
        for principal in principals where matches(principal.arn) || matches(principal.name) || matches(principal.accessKey ?? "") {
            hits.append(Self.hit(principal))
        }
        if hits.isEmpty, let arn = await owner(), let principal = principals.first(where: { $0.arn == arn }) {
            hits.append(Self.hit(principal))
        }
        return hits
    }

    private static func hit(_ principal: Principal) -> Hit {
        let path =
            switch principal.kind {
            case "user": IdentityScene.path("accounts", principal.account, HolderKind.users.rawValue, principal.name)
            case "role": IdentityScene.path("accounts", principal.account, HolderKind.roles.rawValue, principal.name)
            case "session": StoreLocation(identity: principal.id).path
            default: IdentityScene.path("accounts", principal.account)
            }
        let note =
            switch principal.kind {
            case "root": "root user"
            case "session": "session, opened in Store"
            default: principal.kind
            }
        return Hit(path: path, title: principal.arn, note: note)
    }

    /// The ARN of the principal that has the text as its access key; `nil` if there is none.
    private func owner() async -> String? {
        guard (16...128).contains(text.utf8.count), text.utf8.allSatisfy(Self.isOfKey) else { return nil }
        let answer = await client.post("/explain", ["as": .string(text), "action": "s3:ListAllMyBuckets", "resource": "*"])
        return answer.isSuccess ? answer.document(DecisionMembers.self).principal : nil
    }

    private static func isOfKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    // MARK: Buckets and objects

    private func stored() async -> [Hit] {
        let buckets = await client.get("/buckets").document(BucketListMembers.self).buckets
        var rest = text
        for prefix in ["arn:aws:s3:::", "acs:oss:*:*:"] where rest.hasPrefix(prefix) { rest = String(rest.dropFirst(prefix.count)) }
        let parts = rest.split(separator: "/", maxSplits: 1).map(String.init)
        guard let name = parts.first else { return [] }
        if parts.count == 2 {
            guard buckets.contains(where: { $0.name == name }) else { return [] }
            let location = StoreLocation(bucket: name).object(parts[1])
            return [Hit(path: location.path, title: "\(name)/\(parts[1])", note: "the place of this key")]
        }
        return buckets.filter { $0.name.lowercased().contains(name.lowercased()) }.map { bucket in
            Hit(path: StoreLocation(bucket: bucket.name).path, title: bucket.name, note: "bucket")
        }
    }

    // MARK: Requests

    private func requests() async -> [Hit] {
        // Filters find nothing in an entry that is gone. A call for one entry would fail, and be in the journal itself.
        var hits: [Hit] = []
        if let number = Int64(digits: text), (1..<Int64.max).contains(number) {
            hits += await list(["after": String(number - 1), "before": String(number + 1)]).map { Self.hit($0, note: "request") }
        }
        hits += await list(["request_id": text]).map { Self.hit($0, note: "request with this ID") }
        let trace: FormFields = ["trace_id": text.lowercased()]
        if await !list(trace).isEmpty { hits.append(Hit(path: Self.journal(trace), title: text, note: "trace")) }
        let found = await list(["text": text])
        hits += found.filter { entry in entry.requestID != text }.map { Self.hit($0, note: "request that contains it") }
        if found.count > 1 { hits.append(Hit(path: Self.journal(["text": text]), title: "All of them", note: "in the journal")) }
        return hits
    }

    private func list(_ filter: FormFields) async -> [Document<EntryMembers>] {
        var query = filter
        query.fields += [.init(name: "exclude", value: "face:control"), .init(name: "limit", value: "5")]
        return await client.get("/journal", query).document(JournalMembers.self).entries
    }

    private static func journal(_ filter: FormFields) -> String { "\(Visit.path("/journal"))?\(filter.encoded)" }

    private static func hit(_ entry: Document<EntryMembers>, note: String) -> Hit {
        let what = entry.operation ?? "\(entry.method) \(JournalTable.path(entry))"
        return Hit(path: Visit.path("/journal/\(entry.number)"), title: "\(entry.number): \(entry.face) \(what)", note: note)
    }
}
