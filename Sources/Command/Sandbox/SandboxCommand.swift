import ArgumentParser
import ControlDocuments
import WireFormats

/// `virga sandbox`: creates, lists, restores and deletes the sandboxes of a server.
struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox", abstract: "Create, list, snapshot, restore and delete the sandboxes of a server.",
        discussion: """
            A sandbox is a cloud of its own in the same process, with its own address. The default sandbox is called default.
            """,
        subcommands: [
            SandboxCreateCommand.self, SandboxListCommand.self, SandboxForkCommand.self, SandboxSnapshotCommand.self,
            SandboxRestoreCommand.self, SandboxDeleteCommand.self,
        ])

    /// Makes a call and returns its answer.
    /// - Throws: `Failure` with the message of a refusal.
    static func call(
        _ method: String, _ path: String, _ body: JSONObject? = nil, at server: ServerArguments
    ) async throws -> JSONObject {
        // The calls concern the process, whichever sandbox the variables name.
        let fields = try server.token.map { [("authorization", "Bearer \($0)")] } ?? []
        let endpoint = try server.origin()
        return try await reporting {
            let answer = try await CloudClient.with(endpoint) { client in
                try await client.send(
                    method, "/_virga" + path, fields: fields + [("content-type", "application/json")],
                    body: body.map { JSONValue.object($0).serialized() } ?? "")
            }
            guard (200..<300).contains(answer.status), let json = answer.json?.objectValue else {
                throw Failure(description: answer.json?["message"]?.stringValue ?? "the cloud answered \(answer.status)")
            }
            return json
        }
    }

    /// Prints where a sandbox is.
    static func show(_ sandbox: Document<SandboxMembers>) {
        let words = [sandbox.name, sandbox.url, sandbox.portURL, sandbox.securePortURL].compactMap(\.self)
        Output.line(words.joined(separator: " ").visible)
    }
}

/// What a new sandbox gets.
struct NewSandboxArguments: ParsableArguments {
    @Argument(help: "Its name; one is made if it is left out.")
    var name: String?

    @Flag(help: "Give it a port of its own, for clients that cannot resolve its name.")
    var port = false

    @Option(help: ArgumentHelp("When it is removed, such as PT2H.", valueName: "duration"))
    var expires: String?

    @Flag(help: "Give its accounts random root access keys.")
    var randomRoot = false

    @Flag(help: "Print the answer as JSON, with the root access key and the token.")
    var json = false

    var body: JSONObject {
        var body: JSONObject = [:]
        if let name { body["name"] = .string(name) }
        if port { body["port"] = true }
        if let expires { body["expires"] = .string(expires) }
        if randomRoot { body["root"] = "random" }
        return body
    }

    func show(_ answer: JSONObject) {
        if json { Output.line(JSONValue.object(answer).serialized(pretty: true)) } else { SandboxCommand.show(Document(answer)) }
    }
}

/// `virga sandbox create`.
struct SandboxCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a sandbox, and print its name and URLs.")

    @OptionGroup var new: NewSandboxArguments

    @Option(help: "What it is made from: a snapshot, a sandbox, seed or nothing.")
    var from = "seed"

    @OptionGroup var server: ServerArguments

    func run() async throws {
        var body = new.body
        body["from"] = .string(from)
        new.show(try await SandboxCommand.call("POST", "/sandboxes", body, at: server))
    }
}

/// `virga sandbox fork`.
struct SandboxForkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fork", abstract: "Create a sandbox from the present state of another one.")

    @Argument(help: "The sandbox to copy.")
    var source: String

    @OptionGroup var new: NewSandboxArguments
    @OptionGroup var server: ServerArguments

    func run() async throws {
        new.show(try await SandboxCommand.call("POST", "/sandboxes/\(source.pathSegment)/fork", new.body, at: server))
    }
}

/// `virga sandbox list`.
struct SandboxListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print every sandbox: its name, state, origin, size and URLs.")

    @Flag(help: "Print the answer as JSON.")
    var json = false

    @OptionGroup var server: ServerArguments

    func run() async throws {
        let answer = try await SandboxCommand.call("GET", "/sandboxes", at: server)
        if json { return Output.line(JSONValue.object(answer).serialized(pretty: true)) }
        for sandbox in Document<SandboxListMembers>(answer).sandboxes.map(\.sandbox) {
            let words = [sandbox.name, sandbox.state, sandbox.from, "\(sandbox.bytes / 1024)K", sandbox.url]
            let urls = [sandbox.portURL, sandbox.securePortURL].compactMap(\.self)
            Output.line((words + urls).joined(separator: " ").visible)
        }
    }
}

/// `virga sandbox snapshot`.
struct SandboxSnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot", abstract: "Take a snapshot of a sandbox.")

    @Argument(help: "The sandbox.")
    var sandbox: String

    @Argument(help: "The name of the snapshot.")
    var name: String

    @Flag(help: "Replace a snapshot of the same name.")
    var replace = false

    @OptionGroup var server: ServerArguments

    func run() async throws {
        let snapshot = try await SandboxCommand.call(
            "POST", "/sandboxes/\(sandbox.pathSegment)/snapshots", ["name": .string(name), "replace": .bool(replace)], at: server)
        Output.line("\(name) \(Document<SnapshotMembers>(snapshot).bytes / 1024)K")
    }
}

/// `virga sandbox restore`.
struct SandboxRestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put the state of a snapshot in place of a sandbox's state.")

    @Argument(help: "The sandbox.")
    var sandbox: String

    @Argument(help: "The snapshot.")
    var snapshot: String

    @OptionGroup var server: ServerArguments

    func run() async throws {
        _ = try await SandboxCommand.call(
            "POST", "/sandboxes/\(sandbox.pathSegment)/restore", ["snapshot": .string(snapshot)], at: server)
    }
}

/// `virga sandbox delete`.
struct SandboxDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete a sandbox.")

    @Argument(help: "The sandbox.")
    var sandbox: String

    @OptionGroup var server: ServerArguments

    func run() async throws { _ = try await SandboxCommand.call("DELETE", "/sandboxes/\(sandbox.pathSegment)", at: server) }
}

extension String {
    /// The text as one segment of a path.
    fileprivate var pathSegment: String { percentEncoded(self) }
}
