import Calls
import Cloud
import ControlDocuments
import HTTPTypes
import NIOCore
import ObjectStore
import Seeds
import WireFormats

extension ControlFace {
    /// The seconds that a sandbox can live, a year at most.
    static let lifetimes: ClosedRange<Int64> = 1...31_536_000

    /// Answers the calls below `/_virga/sandboxes`, which concern the process.
    func answerSandboxes(_ call: Call, path: String) async throws -> Response {
        let keeper = try keeper()
        // The path begins with `/sandboxes`.
        let segments = path.split(separator: "/").dropFirst().map { String($0) }
        switch (call.method, segments.count) {
        case (.get, 0), (.head, 0): return .json(try listed(call, keeper).json)
        case (.get, 1), (.head, 1): return .json(try description(segments[0], keeper).document.json)
        case (.post, 0):
            return created(try await keeper.create(try order(try await body(of: call, isOptional: true), call)))
        case (.put, 1):
            var order = try order(try await body(of: call, isOptional: true), call)
            guard order.name == nil || order.name == segments[0] else {
                throw ControlError(.badRequest, "malformed_member", "'name' must be the name in the path, or be left out.")
            }
            (order.name, order.replaces) = (segments[0], true)
            return created(try await keeper.create(order))
        case (.delete, 1):
            try await keeper.delete(segments[0])
            return .json(["status": "ok"])
        case (_, 2) where segments[1] == "seed":
            return try await exportSeed(of: keeper.cloud(of: description(segments[0], keeper).name))
        case (_, 2) where segments[1] == "reset":
            try await keeper.cloud(of: description(segments[0], keeper).name).reset()
            return .json(["status": "ok"])
        case (_, 2) where segments[1] == "fork":
            var order = try order(try await body(of: call, isOptional: true), call, isFork: true)
            order.origin = .named(try description(segments[0], keeper).name)
            return created(try await keeper.create(order))
        case (_, 2) where segments[1] == "snapshots":
            let body = try await body(of: call)
            try body.expect(only: ["name", "replace"])
            guard let name = try body.text("name") else {
                throw ControlError(.badRequest, "malformed_member", "'name' must be a string: the name of the snapshot.")
            }
            let snapshot = try await keeper.takeSnapshot(of: segments[0], named: name, replaces: try body.flag("replace"))
            return .json(snapshot.document.json, status: .created)
        default:
            let body = try await body(of: call)
            try body.expect(only: ["snapshot", "with"])
            guard let name = try body.text("snapshot") else {
                throw ControlError(.badRequest, "malformed_member", "'snapshot' must be a string: the name of a snapshot.")
            }
            let keepsFaults = try body.includesFaults()
            let clock = ContinuousClock()
            let time = try await clock.measure { try await keeper.restore(segments[0], from: name, keepsFaults: keepsFaults) }
            return .json(["restored": .string(name), "tookMilliseconds": .number(time.milliseconds)])
        }
    }

    /// Answers the calls below `/_virga/snapshots`, which concern the process.
    func answerSnapshots(_ call: Call, path: String) async throws -> Response {
        let keeper = try keeper()
        let segments = path.split(separator: "/").dropFirst().map { String($0) }
        guard let name = segments.first else {
            return .json(Document<SnapshotListMembers> { [$0.snapshots(keeper.snapshots().map(\.document))] }.json)
        }
        if segments.count == 2 {
            guard call.method == .put else {
                return try .file(keeper.snapshotFile(name), contentType: "application/vnd.sqlite3")
            }
            let snapshot = try await keeper.importSnapshot(name) { path in try await call.request.body.write(toFile: path) }
            return .json(snapshot.document.json, status: .created)
        }
        guard call.method == .delete else {
            guard let snapshot = keeper.snapshots().first(where: { $0.name == name }) else { throw SandboxRefusal.noSuchSnapshot(name) }
            return .json(snapshot.document.json)
        }
        try await keeper.deleteSnapshot(name)
        return .json(["status": "ok"])
    }

    /// Returns the sandboxes, with the progress of each if the query has `progress=true`.
    private func listed(_ call: Call, _ keeper: any SandboxKeeper) throws(ControlError) -> Document<SandboxListMembers> {
        guard let query = call.queryFields, query.fields.allSatisfy({ $0.name == "progress" }) else {
            throw ControlError(.badRequest, "unknown_parameter", "The only parameter is progress=true.")
        }
        let value = query.first("progress") ?? "false"
        guard ["true", "false"].contains(value) else {
            throw ControlError(.badRequest, "malformed_parameter", "'progress' must be true or false.")
        }
        let progress = value == "true" ? keeper.progress() : nil
        let sandboxes = keeper.sandboxes().map { sandbox in
            let shown = progress.map { known -> JSONObject in ["progress": known[sandbox.name]?.document.json ?? .null] }
            return Document<ListedSandboxMembers> { [$0.sandbox(sandbox.document), shown ?? [:]] }
        }
        return Document { [$0.sandboxes(sandboxes)] }
    }

    func keeper() throws(ControlError) -> any SandboxKeeper {
        guard let keeper = sandboxKeeper else {
            throw ControlError(.notImplemented, "no_sandboxes", "This server keeps one sandbox only.")
        }
        return keeper
    }

    private func description(_ name: String, _ keeper: any SandboxKeeper) throws(SandboxRefusal) -> SandboxDescription {
        guard let found = keeper.sandboxes().first(where: { $0.name == name }) else { throw .noSuchSandbox(name) }
        return found
    }

    private func created(_ sandbox: CreatedSandbox) -> Response {
        let created = Document<CreatedSandboxMembers> {
            [
                $0.sandbox(sandbox.description.document), $0.token(sandbox.token), $0.accessKeyID(sandbox.rootKey?.id),
                $0.secretAccessKey(sandbox.rootKey?.secret),
            ]
        }
        return .json(created.json, status: sandbox.isReplacement ? .ok : .created)
    }

    private func order(_ body: JSONObject, _ call: Call, isFork: Bool = false) throws -> SandboxOrder {
        let members = ["name", "prefix", "port", "expires", "root", "with"]
        try body.expect(only: isFork ? members : members + ["from"])
        var order = SandboxOrder()
        order.name = try body.text("name")
        if let prefix = try body.text("prefix") { order.prefix = prefix }
        order.hasPort = try body.flag("port")
        order.copiesFaults = try body.includesFaults()
        if let text = try body.text("expires") {
            guard let seconds = Duration(iso8601: text)?.components.seconds, Self.lifetimes.contains(seconds) else {
                throw ControlError(
                    .badRequest, "malformed_member", "'expires' must be a duration from PT1S to P365D, such as PT2H.")
            }
            order.lifetime = seconds
        }
        if let root = body["root"] {
            guard root == "random" else { throw ControlError(.badRequest, "malformed_member", "'root' must be \"random\".") }
            order.hasRandomRoot = true
        }
        switch body["from"] {
        case nil, "seed": order.origin = .seeds
        case "nothing": order.origin = .nothing
        case .string(let name): order.origin = .named(name)
        case .object(let object):
            try object.expect(only: ["seed"])
            guard let seed = object["seed"] else { fallthrough }
            let text = seed.stringValue ?? seed.serialized()
            order.origin = .seed(SeedFile(name: "seed", text: Array(text.utf8)))
        default:
            throw ControlError(
                .badRequest, "malformed_member",
                "'from' must be \"seed\", \"nothing\", the name of a snapshot or sandbox, or {\"seed\": …}.")
        }
        return order
    }
}

extension SandboxDescription {
    var document: Document<SandboxMembers> {
        Document {
            [
                $0.name(name), $0.state(state.rawValue), $0.from(from), $0.created(created.iso8601Milliseconds),
                $0.used(used?.iso8601Milliseconds), $0.expires(expires?.iso8601Milliseconds), $0.bytes(bytes), $0.url(url),
                $0.portURL(portURL), $0.securePortURL(securePortURL),
            ]
        }
    }
}

extension SnapshotDescription {
    fileprivate var document: Document<SnapshotMembers> {
        Document { [$0.name(name), $0.from(from), $0.created(created.iso8601Milliseconds), $0.bytes(bytes)] }
    }
}

extension JSONObject {
    /// Returns whether `with` lists `faults`; false if it is absent.
    fileprivate func includesFaults() throws(ControlError) -> Bool {
        switch self["with"] {
        case nil, .array([]): return false
        case .array(["faults"]): return true
        default: throw ControlError(.badRequest, "malformed_member", "'with' must be [\"faults\"].")
        }
    }

    /// Returns the boolean at `name`; false if it is absent.
    func flag(_ name: String) throws(ControlError) -> Bool {
        guard let value = self[name] else { return false }
        guard case .bool(let flag) = value else {
            throw ControlError(.badRequest, "malformed_member", "'\(name)' must be true or false.")
        }
        return flag
    }
}

extension Duration {
    /// Milliseconds, with three digits behind the point.
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return (Double(seconds) * 1_000_000 + Double(attoseconds / 1_000_000_000_000)).rounded() / 1000
    }
}
