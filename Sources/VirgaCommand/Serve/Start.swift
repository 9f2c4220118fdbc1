import Cloud
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

/// The start of a server: what is said and done once it listens.
final class Start: Sendable {
    private let command: String?
    private let banner: Banner?
    private let listeners: Int
    private let controlToken: String?
    private let inheritance = ChildProcess.Inheritance()
    private let ready: ReadyFile?
    private let urls = Mutex<[String]>([])
    private let isFinished = Atomic<Bool>(false)
    private let listening: (waiter: AsyncStream<String>, announcer: AsyncStream<String>.Continuation)

    /// - Parameters:
    ///   - readyFile: written when everything is done.
    ///   - command: run by the shell before.
    ///   - controlToken: what the command needs for the control API.
    ///   - banner: printed first, if there is one.
    ///   - listeners: how many will announce themselves.
    init(readyFile: String?, command: String?, controlToken: String?, banner: Banner?, listeners: Int) {
        ready = readyFile.map { ReadyFile(path: $0) }
        self.controlToken = controlToken
        self.command = command
        self.banner = banner
        self.listeners = listeners
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        listening = (stream, continuation)
    }

    /// Whether everything is done.
    var isReady: Bool { isFinished.load(ordering: .acquiring) }

    /// Takes the URL of a listener. The first one brings the banner along.
    func announce(_ url: String) {
        let known = urls.withLock { urls in
            urls.append(url)
            return urls
        }
        if known.count == 1, let banner { StandardError.write(banner.text(url)) }
        if known.count > 1, banner != nil { StandardError.write(Banner.line("endpoint", url)) }
        Output.line("virga ready \(url)")
        if known.count == listeners { listening.announcer.yield(known[0]) }
    }

    /// Waits for the listeners, runs the command, and writes the file.
    /// - Throws: `Failure` where the command ends with another status than 0, or the file cannot be written.
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
            let (inheritance, stop) = (inheritance, ChildStop())
            let status = try await withTaskCancellationHandler {
                try await NIOThreadPool.singleton.runIfActive { [environment] in
                    ChildProcess.run(
                        ["/bin/sh", "-c", command], environment: environment, inheriting: inheritance, as: .helper(stop: stop))
                }
            } onCancel: {
                stop.stop()
            }
            // A command that was ended with the server has not failed.
            try Task.checkCancellation()
            guard status == 0 else { throw Failure(description: "the command of --on-ready ended with \(status)") }
        }
        try ready?.write(urls.withLock { $0.map { $0 + "\n" }.joined() })
        isFinished.store(true, ordering: .releasing)
    }

    /// Removes the file of an earlier process, which is not ready any more.
    func removeStaleFile() throws { try ready?.removeStale() }

    /// Removes the file.
    func removeFile() { ready?.remove() }
}

/// What a server says of itself when it starts.
struct Banner {
    private let settings: Settings

    init(settings: Settings) { self.settings = settings }

    /// - Parameter url: where it answers.
    func text(_ url: String) -> String {
        let control =
            if settings.controlToken != nil {
                "needs the control token"
            } else {
                settings.isLoopback ? "open to this machine" : "closed; open it with --control-token"
            }
        let seeds = settings.seeds.map(\.name).joined(separator: ", ")
        return "virga \(VirgaVersion.text)\n" + Self.line("endpoint", url) + Self.line("control", "\(url)/_virga/ (\(control))")
            + (settings.authorization == .report ? Self.line("policies", "reported, not enforced: denied requests are served") : "")
            + Self.line("seeds", seeds) + Self.line("data", settings.folder ?? "none; everything is lost at exit")
    }

    static func line(_ name: String, _ value: String) -> String {
        "  \(name)\(String(repeating: " ", count: max(1, 10 - name.count)))\(value)\n"
    }
}
