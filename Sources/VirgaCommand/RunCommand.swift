import ArgumentParser
import Cloud
import Logging
import NIOPosix
import Seeds
import VirgaServer
import WireFormats

/// `virga run`: a command against a cloud of its own.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a command with its own cloud.",
        discussion: """
            Starts an ephemeral cloud on a free port, sets the variables that the SDKs of AWS and Alibaba Cloud read, removes those that \
            would lead elsewhere, runs the command, and removes the cloud. Signals are forwarded. The exit code is the command's.

            Use it as: virga run -- pytest
            """)

    @Option(help: "A JSON5 file that fills the cloud; may be repeated. (default: the built-in seed)")
    var seed: [String] = []

    @OptionGroup var webIdentity: WebIdentityArguments

    @Flag(help: "Do not list refused calls at the end.")
    var quiet = false

    @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.")
    var command: [String] = []

    func validate() throws {
        if command.isEmpty { throw ValidationError("Give a command after --, such as: virga run -- pytest") }
    }

    func run() async throws {
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .error
            return handler
        }
        let inheritance = ChildProcess.Inheritance()
        var settings = Settings()
        settings.ports = [0]
        settings.grace = 0
        settings.seeds = try reportingFailure { try Seeds.load(seed) }
        let (aws, alibaba) = settings.seeds.rootKeys
        let keys = ClientVariables.Identity.keys(
            aws: aws.map { .init(id: $0.id, secret: $0.secret) }, alibaba: alibaba.map { .init(id: $0.id, secret: $0.secret) })
        let status = try await reporting {
            try await Server(settings: settings).whileRunning { endpoint in
                try await serve(endpoint, keys: keys, inheritance)
            }
        }
        throw ExitCode(status)
    }

    /// Runs the command against a running cloud.
    /// - Returns: its exit code as a shell has it.
    private func serve(_ endpoint: String, keys: ClientVariables.Identity, _ inheritance: ChildProcess.Inheritance) async throws -> Int32 {
        guard let origin = OriginArgument(endpoint) else { throw Failure(description: "\(endpoint) is not an origin") }
        var identity = keys
        var folder: TemporaryFolder?
        defer { folder?.remove() }
        if let (person, role) = webIdentity.identity {
            let token = try await CloudClient.with(origin) { try await $0.token(of: person, controlToken: nil) }
            folder = try TemporaryFolder()
            let file = "\(folder?.path ?? "")/token"
            try PrivateFile.write(token, to: file)
            identity = .token(person, role: role, file: file)
        }
        var variables = ClientVariables(endpoint: origin.text, identity: identity, environment: Variables.all)
        variables.hideFiles()
        let environment = variables.applied(to: Variables.all)
        let command = command
        // It waits, and would keep one of the few threads of tasks.
        let status = try await NIOThreadPool.singleton.runIfActive {
            try ChildProcess.run(command, environment: environment, inheriting: inheritance)
        }
        if !quiet, !(126...127).contains(status) { try await Self.summarize(origin) }
        return status
    }

    /// Lists the calls that were refused.
    private static func summarize(_ origin: OriginArgument) async throws {
        let answer = try await CloudClient.with(origin) { try await $0.send("GET", "/_virga/journal?denied=true&limit=1000") }
        let summary = RefusalSummary(entries: answer.json?["entries"]?.arrayValue ?? [])
        for line in summary.lines { Output.note(line.visible) }
    }
}

/// The refused calls of a run: how often, what, by whom, why.
struct RefusalSummary {
    /// Each with how often it happened, in order of first appearance.
    private var calls: [(text: String, reason: String?, count: Int)] = []

    /// - Parameter entries: of the journal, newest first.
    init(entries: [JSONValue]) {
        for entry in entries.reversed() where entry["face"] != "control" {
            let caller = entry["caller"]?.stringValue.map { " by \($0)" } ?? ""
            let operation = "\(entry["face"]?.stringValue ?? ""):\(entry["operation"]?.stringValue ?? entry["method"]?.stringValue ?? "")"
            let error = entry["error"]?.stringValue ?? "status \(entry["status"]?.integerValue ?? 0)"
            let text = "\(operation)\(caller): \(error)"
            if let index = calls.firstIndex(where: { $0.text == text }) {
                calls[index].count += 1
            } else {
                calls.append((text, entry["reason"]?.stringValue, 1))
            }
        }
    }

    var lines: [String] {
        guard !calls.isEmpty else { return ["virga: no calls were refused"] }
        let total = calls.reduce(0) { $0 + $1.count }
        return ["virga: \(total) \(total == 1 ? "call was" : "calls were") refused"]
            + calls.flatMap { call in ["  \(call.count) × \(call.text)"] + (call.reason.map { ["      \($0)"] } ?? []) }
    }
}
