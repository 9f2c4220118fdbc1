import ArgumentParser
import Cloud
import Cryptography
import Federation
import Logging
import ObjectStore
import Seeds
import UnixSignals
import VirgaServer
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `virga serve`: runs the cloud until it receives a stop signal.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the cloud until SIGTERM or SIGINT.",
        discussion: """
            Standard output has one line 'virga ready URL' for each listener. Everything else goes to standard error: a banner, then a line for \
            each request, and for a refusal a second line with the reason.
            """)

    @Option(name: .shortAndLong, help: ServeFlag.port.help) var port: [Int] = []
    @Option(name: ServeFlag.tlsPort.key, help: ServeFlag.tlsPort.help) var tlsPort: [Int] = []
    @Option(name: ServeFlag.caFile.key, help: ServeFlag.caFile.help) var caFile: String?
    @Option(name: ServeFlag.host.key, help: ServeFlag.host.help) var host: String?
    @Option(name: ServeFlag.data.key, help: ServeFlag.data.help) var data: String?
    @Flag(name: ServeFlag.sync.key, help: ServeFlag.sync.help) var sync = false
    @Flag(name: ServeFlag.ephemeral.key, help: ServeFlag.ephemeral.help) var ephemeral = false
    @Option(name: ServeFlag.seed.key, help: ServeFlag.seed.help) var seed: [String] = []
    @Option(name: ServeFlag.bucketDefaults.key, help: ServeFlag.bucketDefaults.help) var bucketDefaults: String?
    @Option(name: ServeFlag.dialect.key, help: ServeFlag.dialect.help) var dialect: String?
    @Option(name: ServeFlag.regions.key, help: ServeFlag.regions.help) var regions: String?
    @Option(name: ServeFlag.publicURL.key, help: ServeFlag.publicURL.help) var publicURL: String?
    @Option(name: ServeFlag.alias.key, help: ServeFlag.alias.help) var alias: [String] = []
    @Option(name: ServeFlag.trustForwarded.key, help: ServeFlag.trustForwarded.help) var trustForwarded: [String] = []
    @Flag(name: ServeFlag.issuersOverHTTP.key, help: ServeFlag.issuersOverHTTP.help) var issuersOverHTTP = false
    @Option(name: ServeFlag.trustedAuthorities.key, help: ServeFlag.trustedAuthorities.help) var trustedAuthorities: [String] = []

    @OptionGroup var controlToken: ControlTokenArguments

    @Flag(name: ServeFlag.requireControlToken.key, help: ServeFlag.requireControlToken.help) var requireControlToken = false
    @Option(name: ServeFlag.consolePort.key, help: ServeFlag.consolePort.help) var consolePort: Int?
    @Flag(name: ServeFlag.noConsole.key, help: ServeFlag.noConsole.help) var noConsole = false
    @Flag(name: ServeFlag.allowForeignPages.key, help: ServeFlag.allowForeignPages.help) var allowForeignPages = false
    @Option(name: ServeFlag.authorization.key, help: ServeFlag.authorization.help) var authorization: String?
    @Flag(name: ServeFlag.usage.key, help: ServeFlag.usage.help) var usage = false
    @Option(name: ServeFlag.eventTarget.key, help: ServeFlag.eventTarget.help) var eventTarget: [String] = []
    @Option(name: ServeFlag.kmsURL.key, help: ServeFlag.kmsURL.help) var kmsURL: String?
    @Option(name: ServeFlag.lifecycleDay.key, help: ServeFlag.lifecycleDay.help) var lifecycleDay: Int64?
    @Option(name: ServeFlag.grace.key, help: ServeFlag.grace.help) var grace: Int64?

    @OptionGroup var forwardArguments: ForwardArguments
    @OptionGroup var sandboxArguments: SandboxArguments
    @OptionGroup var connectionArguments: ConnectionArguments

    @OptionGroup var logging: LoggingArguments

    @Option(name: ServeFlag.readyFile.key, help: ServeFlag.readyFile.help) var readyFile: String?
    @Option(name: ServeFlag.onReady.key, help: ServeFlag.onReady.help) var onReady: String?

    func run() async throws { try await run(KeycloakStart()) }

    /// Runs the server.
    /// - Parameter keycloak: what differs for a server that starts in place of Keycloak.
    func run(_ keycloak: KeycloakStart) async throws {
        let inheritance = ChildProcess.Inheritance()
        // They start while the seeds are read.
        async let _: Void = Server.startThreads()
        let log = try logging.read()
        log.bootstrap()
        var settings = try settings(seeds: keycloak.seeds)
        settings.healthPort = keycloak.healthPort
        settings.requestLog = log.requestLog
        let start = Start(
            readyFile: ServeFlag.readyFile.text(readyFile), command: ServeFlag.onReady.text(onReady),
            controlToken: settings.controlToken, banner: log.isQuiet ? nil : Banner(settings: settings),
            listeners: settings.ports.count + settings.securePorts.count, inheritance: inheritance, notice: keycloak.notice)
        settings.isReady = { start.isReady }
        settings.onConsolePort = { start.note(consolePort: $0) }
        settings.atHardStop = { start.removeFile() }
        if !ChildProcess.isIgnored(SIGHUP) { settings.stopSignals.append(.sighup) }
        let server = Server(settings: settings)
        defer { start.removeFile() }
        try await reporting {
            try start.checkShell()
            try start.removeStaleFile()
            try await server.run(while: { try await start.finish() }) { start.announce($0) }
        }
    }

    /// Returns the settings from flags, else variables, else defaults.
    /// - Parameter further: seeds besides those of flags and variables.
    private func settings(seeds further: [SeedFile]) throws -> Settings {
        var settings = Settings()
        let ports = try ServeFlag.port.numbers(port, in: ServeFlag.ports)
        if !ports.isEmpty { settings.ports = ports }
        settings.securePorts = try ServeFlag.tlsPort.numbers(tlsPort, in: ServeFlag.ports)
        settings.authorityFile = ServeFlag.caFile.text(caFile)
        if settings.authorityFile != nil, settings.securePorts.isEmpty {
            throw ValidationError("--ca-file needs --tls-port: without TLS there is no certificate to trust.")
        }
        if let host = ServeFlag.host.text(host) {
            // An IPv6 address may have the brackets of a URL.
            settings.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        }
        let folder = ephemeral ? data : ServeFlag.data.text(data)
        guard !(ephemeral && data != nil) else { throw ValidationError("--data and --ephemeral cannot be combined.") }
        settings.folder = try ServeFlag.ephemeral.isOn(ephemeral) && data == nil ? nil : folder
        settings.isSynced = try ServeFlag.sync.isOn(sync)
        if settings.isSynced, settings.folder == nil {
            throw ValidationError("--sync needs --data: without a data folder, nothing is kept after the end of the process.")
        }
        if let dialect: Dialect = try ServeFlag.dialect.choice(dialect) { settings.dialect = dialect }
        settings.regions = try ServeFlag.regions.choice(regions)
        let defaults: [(String, BucketConfiguration)] = [("modern", .modern), ("legacy", .legacy)]
        if let configuration = try ServeFlag.bucketDefaults.choice(bucketDefaults, of: defaults) { settings.newBuckets = configuration }
        let publicURL = ServeFlag.publicURL.text(publicURL)
        let publicOrigin = publicURL.flatMap { OriginArgument($0) }
        if let publicURL, publicOrigin == nil {
            throw ValidationError(
                "--\(ServeFlag.publicURL.name) must begin with http:// or https://, and have a host and no more than a port, not '\(publicURL)'."
            )
        }
        let aliases = ServeFlag.alias.texts(alias)
        for alias in aliases where !OriginArgument.isHost(alias) {
            throw ServeFlag.alias.refusal("the name of a host, without scheme and port", "'\(alias)'")
        }
        settings.names = HostNames(
            publicURL: publicOrigin?.text, aliases: Set((aliases + [settings.host]).map { $0.lowercased() }))
        settings.trustedProxies = try TrustedProxies(flags: trustForwarded)
        settings.issuersOverHTTP = try ServeFlag.issuersOverHTTP.isOn(issuersOverHTTP)
        settings.trustedAuthorityFiles = ServeFlag.trustedAuthorities.texts(trustedAuthorities)
        settings.controlToken = try controlToken.read()
        if try settings.controlToken == nil && ServeFlag.requireControlToken.isOn(requireControlToken) {
            throw Failure(
                description: """
                    There is no control token. Set VIRGA_CONTROL_TOKEN or VIRGA_CONTROL_TOKEN_FILE, for a container with --env VIRGA_CONTROL_TOKEN=choose-one. \
                    Without one, any machine that reaches this server could reset it.
                    """)
        }
        settings.hasConsole = try !ServeFlag.noConsole.isOn(noConsole)
        if let port = try ServeFlag.consolePort.number(consolePort, in: ServeFlag.ports) {
            guard settings.hasConsole else { throw ValidationError("--console-port and --no-console cannot be combined.") }
            settings.consolePort = port
        }
        if settings.hasConsole, settings.controlToken != nil { settings.consoleCode = try randomBytes(18).base64url }
        settings.admitsForeignPages = try ServeFlag.allowForeignPages.isOn(allowForeignPages)
        if let mode: Settings.Authorization = try ServeFlag.authorization.choice(authorization) { settings.authorization = mode }
        settings.recordsUsage = try ServeFlag.usage.isOn(usage)
        for target in ServeFlag.eventTarget.texts(eventTarget) {
            // An ARN contains no equals sign, a URL may.
            let parts = target.split(separator: "=", maxSplits: 1).map { String($0) }
            guard parts.count == 2, isEventTarget(arn: parts[0], url: parts[1]) else {
                throw ServeFlag.eventTarget.refusal("an ARN, =, and a URL that begins with http:// or https://", target)
            }
            settings.eventTargets[parts[0]] = parts[1]
        }
        settings.keyService = ServeFlag.kmsURL.text(kmsURL)
        if let url = settings.keyService, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
            throw ServeFlag.kmsURL.refusal("a URL that begins with http:// or https://", url)
        }
        if let day = try ServeFlag.lifecycleDay.number(lifecycleDay, in: 1...86_400, unit: "seconds") { settings.lifecycleDay = day }
        if let grace = try ServeFlag.grace.number(grace, in: 0...86_400, unit: "seconds") { settings.grace = grace }
        settings.sandboxes = try sandboxArguments.read(mainPorts: settings.ports)
        settings.connectionLimits = try connectionArguments.read()
        settings.allowsOutbound = try !ServeFlag.noOutbound.isOn(sandboxArguments.noOutbound)
        settings.gateway = try forwardArguments.read()
        guard settings.gateway == nil || settings.allowsOutbound else {
            throw ValidationError("--forward and --no-outbound cannot be combined: forwarded calls are requests to other servers.")
        }
        settings.seeds = try reportingFailure { try Seeds.load(ServeFlag.seed.texts(seed), settings.dialect, further: further) }
        return settings
    }
}
