import ClientEnvironment
import Cloud
import Federation
import GatewayFace
import NIOPosix
import Seeds
import Synchronization
import VirgaServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The start of a server: the output and the actions once it is listening.
final class Start: Sendable {
    private let command: String?
    private let banner: Banner?
    private let listeners: Int
    private let notice: (@Sendable () -> String)?
    private let controlToken: String?
    private let inheritance: ChildProcess.Inheritance
    private let ready: ReadyFile?
    private let urls = Mutex<[String]>([])
    private let consolePort = Mutex<Int?>(nil)
    private let isFinished = Atomic<Bool>(false)
    private let listening: (waiter: AsyncStream<String>, announcer: AsyncStream<String>.Continuation)

    /// - Parameters:
    /// - readyFile: the file to write when the start is complete.
    ///   - command: the shell command to run before.
    ///   - controlToken: the token of the control API, for the command.
    ///   - banner: the banner to print first, if any.
    ///   - listeners: the number of listeners.
    ///   - inheritance: what the command inherits.
    ///   - notice: returns a text to print at the end of the banner.
    init(
        readyFile: String?, command: String?, controlToken: String?, banner: Banner?, listeners: Int,
        inheritance: ChildProcess.Inheritance, notice: (@Sendable () -> String)? = nil
    ) {
        ready = readyFile.map { ReadyFile(path: $0) }
        self.controlToken = controlToken
        self.command = command
        self.banner = banner
        self.listeners = listeners
        self.inheritance = inheritance
        self.notice = notice
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        listening = (stream, continuation)
    }

    /// Whether the start is complete.
    var isReady: Bool { isFinished.load(ordering: .acquiring) }

    /// Notes the port that serves the web console only, which the banner names.
    func note(consolePort port: Int) { consolePort.withLock { $0 = port } }

    /// Announces the URL of a listener. The first one also prints the banner.
    func announce(_ url: String) {
        let known = urls.withLock { urls in
            urls.append(url)
            return urls
        }
        if known.count == 1, let banner { StandardError.write(banner.text(url, consolePort: consolePort.withLock { $0 })) }
        if known.count > 1, banner != nil { StandardError.write(Banner.line("endpoint", url)) }
        Output.line("virga ready \(url)")
        if known.count == listeners { listening.announcer.yield(known[0]) }
    }

    /// Waits for the listeners, runs the command, writes the ready file, and ends the banner with `Ready.`, for which Testcontainers' modules
    /// for LocalStack search the log.
    /// - Throws: `Failure` if the command fails or the file cannot be written.
    func finish() async throws {
        var first: String?
        for await url in listening.waiter {
            first = url
            break
        }
        guard let first else { return }
        if let command {
            let variables = ClientVariables(endpoint: first, identity: ClientVariables.builtInKeys, environment: Variables.all)
            var environment = variables.applied(to: Variables.all)
            environment["VIRGA_CONTROL_TOKEN"] = controlToken
            environment["VIRGA_CONTROL_TOKEN_FILE"] = nil
            let (inheritance, stop) = (inheritance, ChildStop())
            let status = try await withTaskCancellationHandler {
                try await NIOThreadPool.singleton.runIfActive { [environment] in
                    ChildProcess.run(
                        [Self.shell, "-c", command], environment: environment, inheriting: inheritance, as: .helper(stop: stop))
                }
            } onCancel: {
                stop.stop()
            }
            // If the server stops the command, the command has not failed.
            try Task.checkCancellation()
            guard status == 0 else { throw Failure(description: "the command of --on-ready ended with \(status)") }
        }
        try ready?.write(urls.withLock { $0.map { $0 + "\n" }.joined() })
        isFinished.store(true, ordering: .releasing)
        if banner != nil { StandardError.write("Ready.\n" + (notice?() ?? "")) }
    }

    /// Removes the ready file of an earlier process.
    func removeStaleFile() throws { try ready?.removeStale() }

    /// Checks that the command can be run.
    /// - Throws: `Failure` if there is no shell for it, as in the container image.
    func checkShell() throws {
        guard command != nil, access(Self.shell, X_OK) != 0 else { return }
        throw Failure(description: "--on-ready needs the shell \(Self.shell), which is missing. The image target 'shell' has one.")
    }

    private static let shell = "/bin/sh"

    /// Removes the ready file.
    func removeFile() { ready?.remove() }
}

/// The text that a server prints when it starts.
struct Banner {
    private let settings: Settings

    init(settings: Settings) { self.settings = settings }

    /// - Parameters:
    ///   - url: the URL of the first listener.
    ///   - consolePort: the port that serves the web console only, if there is one.
    func text(_ url: String, consolePort: Int? = nil) -> String {
        let control =
            if settings.controlToken != nil {
                "needs the control token"
            } else {
                settings.isLoopback ? "open to this machine" : "closed; open it with --control-token"
            }
        let seeds = settings.seeds.map(\.name).joined(separator: ", ")
        return "virga \(VirgaVersion.text)\n" + Self.line("endpoint", url) + Self.line("control", "\(url)/_virga/ (\(control))")
            + (console(url, consolePort).map { Self.line("console", $0) } ?? "")
            + (settings.authorization == .report ? Self.line("policies", "reported, not enforced: denied requests are served") : "")
            + (settings.gateway?.upstreams.descriptions ?? []).map { Self.line("forwards", $0) }.joined()
            + Self.line("seeds", seeds) + Self.line("data", settings.folder ?? "none; everything is lost at exit")
    }

    /// The address of the web console; `nil` if it is off.
    private func console(_ url: String, _ port: Int?) -> String? {
        guard settings.hasConsole, let origin = Origin(url: url) else { return nil }
        let page = settings.consoleCode.map { "/_virga/ui/sign-in?code=\($0)" } ?? "/_virga/ui/"
        if settings.controlToken == nil, !settings.isLoopback { return "closed; open it with --control-token" }
        if let port { return "http://\(origin.host):\(port)\(page)" }
        let isSafe = url.hasPrefix("https://") || HostNames.isThisMachine(origin.host)
        return isSafe ? url + page : "not shown at this host; use --console-port or --tls-port"
    }

    static func line(_ name: String, _ value: String) -> String {
        "  \(name)\(String(repeating: " ", count: max(1, 10 - name.count)))\(value)\n"
    }
}
