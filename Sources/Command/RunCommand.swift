import ArgumentParser
import ClientEnvironment
import Cloud
import Logging
import NIOPosix
import Seeds
import VirgaServer
import WireFormats

/// `virga run`: runs a command with its own cloud.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a command with its own cloud.",
        discussion: """
            Starts an ephemeral cloud on a free port, sets the variables that the SDKs of AWS and Alibaba Cloud read, removes those that \
            would lead elsewhere, runs the command, and removes the cloud. Signals are forwarded. The exit code is the command's.

            --policy writes the least policy for what the command did. --golden compares its calls with those of an earlier run.

            VIRGA_ENDPOINT is set for the command, so that virga's own commands find the cloud: virga log --denied, virga explain. \
            VIRGA_SANDBOX, VIRGA_CONTROL_TOKEN, VIRGA_CONTROL_TOKEN_FILE and VIRGA_DATA are removed, because they mean another cloud.

            Use it as: virga run -- pytest
            """)

    @Option(help: "A JSON5 file that fills the cloud; may be repeated. [VIRGA_SEED, default the built-in seed]")
    var seed: [String] = []

    @Option(
        help: """
            What happens to requests that policies deny: enforce refuses them; report serves them and lists them at the end. \
            [VIRGA_AUTHORIZATION, default enforce]
            """)
    var authorization: String?

    @OptionGroup var forwardArguments: ForwardArguments

    @OptionGroup var webIdentity: WebIdentityArguments

    @OptionGroup var credentials: CredentialArguments

    @OptionGroup var records: RunRecords

    @Flag(help: "Do not list refused requests at the end.")
    var quiet = false

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The command and its arguments, after --.", valueName: "command"))
    var words: [String] = []

    /// The command and its arguments.
    private var command: [String] { Array(words.dropFirst()) }

    func validate() throws {
        try credentials.check(beside: webIdentity)
        guard words.first == "--" else {
            let meant = words.isEmpty ? "pytest" : words.joined(separator: " ")
            throw ValidationError("Give the command after --, such as: virga run -- \(meant)")
        }
        if command.isEmpty { throw ValidationError("Give a command after --, such as: virga run -- pytest") }
    }

    func run() async throws {
        ChildProcess.catchSignals()
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .error
            return handler
        }
        let inheritance = ChildProcess.Inheritance()
        var settings = Settings()
        settings.ports = [0]
        settings.grace = 0
        settings.seeds = try reportingFailure { try Seeds.load(ServeFlag.seed.texts(seed)) }
        if let mode: Settings.Authorization = try ServeFlag.authorization.choice(authorization) { settings.authorization = mode }
        settings.gateway = try forwardArguments.read()
        settings.recordsUsage = try records.recordsUsage
        let expectedTrace = try records.expectedTrace()
        let refusals = Refusals()
        let recorder = records.golden.map { _ in TraceRecorder() }
        settings.observe = {
            refusals.note($0)
            recorder?.note($0)
        }
        let (aws, alibaba) = settings.seeds.rootKeys
        let keys = ClientVariables.Identity.keys(
            aws: aws.map { .init(id: $0.id, secret: $0.secret) }, alibaba: alibaba.map { .init(id: $0.id, secret: $0.secret) })
        let status = try await reporting {
            try await Server(settings: settings).whileRunning { endpoint in
                try await serve(endpoint, keys: keys, inheritance)
            }
        }
        if !quiet, !(126...127).contains(status) { for line in refusals.summary.lines { Output.note(line) } }
        let isAsBefore = try recorder.map { try records.finish($0.trace, expected: expectedTrace) } ?? true
        throw ExitCode(status == 0 && !isAsBefore ? 2 : status)
    }

    /// Runs the command with a running cloud.
    /// - Returns: the exit code, as in a shell.
    private func serve(_ endpoint: String, keys: ClientVariables.Identity, _ inheritance: ChildProcess.Inheritance) async throws -> Int32 {
        guard let origin = OriginArgument(endpoint) else { throw Failure(description: "\(endpoint) is not an origin") }
        var identity = keys
        var role = webIdentity.identity?.role
        var folder: TemporaryFolder?
        defer { folder?.remove() }
        if let source = credentials.source {
            let offer = try await CloudClient.with(origin) { try await $0.offer(of: source, controlToken: nil) }
            role = offer.role
            identity = .source(
                try offer.source(at: origin) { text, kind in
                    let made = try folder ?? TemporaryFolder()
                    folder = made
                    try PrivateFile.write(text, to: "\(made.path)/\(kind)")
                    return "\(made.path)/\(kind)"
                } writeHome: { files in
                    let made = try TemporaryFolder()
                    folder = made
                    try HomeFolder.write(files, to: made.path)
                    return made.path
                })
        }
        if let (person, role) = webIdentity.identity {
            let token = try await CloudClient.with(origin) { try await $0.token(of: person, controlToken: nil) }
            folder = try TemporaryFolder()
            let file = "\(folder?.path ?? "")/token"
            try PrivateFile.write(token, to: file)
            identity = .token(person, role: role, file: file)
        }
        var variables = ClientVariables(endpoint: origin.text, identity: identity, environment: Variables.all)
        variables.hideOtherClouds()
        let environment = variables.applied(to: Variables.all)
        let command = command
        // It blocks, and would occupy one of the few threads for tasks.
        let status = try await NIOThreadPool.singleton.runIfActive {
            ChildProcess.run(command, environment: environment, inheriting: inheritance)
        }
        let (records, caller) = (records, role)
        if records.policy != nil, !(126...127).contains(status) {
            try await CloudClient.with(origin) { try await records.writePolicy(of: caller, from: $0) }
        }
        return status
    }
}
