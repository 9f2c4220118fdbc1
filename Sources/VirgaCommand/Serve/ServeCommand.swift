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

    @Option(name: .shortAndLong, help: "Port for HTTP; may be repeated; 0 picks a free one. [VIRGA_PORT, default 4566]")
    var port: [Int] = []

    @Option(help: "Port for HTTP over TLS, with HTTP/2; may be repeated; 0 picks a free one. [VIRGA_TLS_PORT]")
    var tlsPort: [Int] = []

    @Option(help: "Where to write the CA certificate that clients of the TLS ports should trust. [VIRGA_CA_FILE]")
    var caFile: String?

    @Option(help: "Address to listen on. [VIRGA_HOST, default 127.0.0.1]")
    var host: String?

    @Option(help: "Folder that keeps the cloud across restarts. [VIRGA_DATA]")
    var data: String?

    @Flag(help: "Sync each write to the disk, so that an acknowledged one survives a power failure; needs --data. [VIRGA_SYNC]")
    var sync = false

    @Flag(help: "Keep nothing. This is the default without --data. [VIRGA_EPHEMERAL]")
    var ephemeral = false

    @Option(help: "JSON5 file that fills a new cloud; may be repeated. [VIRGA_SEED, default the built-in seed]")
    var seed: [String] = []

    @Option(
        help: """
            How new buckets are configured: modern (ACLs off, public access blocked) or legacy (as before April 2023). \
            [VIRGA_BUCKET_DEFAULTS, default modern]
            """)
    var bucketDefaults: String?

    @Option(help: "Which S3 to imitate where they differ: aws or ceph. [VIRGA_DIALECT, default aws]")
    var dialect: String?

    @Option(
        help: """
            Whether S3 rejects requests for another region than the bucket's: strict does, any does not. \
            [VIRGA_REGIONS, default strict at names of amazonaws.com, else any]
            """)
    var regions: String?

    @Option(name: .customLong("public-url"), help: "Origin of every URL in responses, whichever host was addressed. [VIRGA_PUBLIC_URL]")
    var publicURL: String?

    @Option(help: "Another host name of this server; may be repeated. [VIRGA_ALIAS]")
    var alias: [String] = []

    @Option(
        help: ArgumentHelp(
            "Addresses of proxies whose Forwarded and X-Forwarded headers are believed; may be repeated. [VIRGA_TRUST_FORWARDED]",
            valueName: "cidr,…"))
    var trustForwarded: [String] = []

    @Flag(
        name: .customLong("issuers-over-http"),
        help: "Accept identity providers with http URLs and ports, which AWS does not. [VIRGA_ISSUERS_OVER_HTTP]")
    var issuersOverHTTP = false

    @Option(
        name: .customLong("trust-ca"),
        help: ArgumentHelp(
            "Certificate to trust for servers that this one calls, besides the system's; may be repeated. [VIRGA_TRUST_CA]",
            valueName: "file"))
    var trustedAuthorities: [String] = []

    @OptionGroup var controlToken: ControlTokenArguments

    @Flag(help: "Refuse to start without a control token, as the container image does. [VIRGA_REQUIRE_CONTROL_TOKEN]")
    var requireControlToken = false

    @Option(
        help: ArgumentHelp(
            "Port that serves the web console and nothing else; 0 picks a free one. [VIRGA_CONSOLE_PORT]", valueName: "port"))
    var consolePort: Int?

    @Flag(name: .customLong("no-console"), help: "Serve no web console. [VIRGA_NO_CONSOLE]")
    var noConsole = false

    @Flag(help: "Let pages of any site sign requests with well-known keys such as test/test. [VIRGA_ALLOW_FOREIGN_PAGES]")
    var allowForeignPages = false

    @Option(
        help: """
            What happens to requests that policies deny: enforce refuses them; report serves them and reports the denial. \
            [VIRGA_AUTHORIZATION, default enforce]
            """)
    var authorization: String?

    @Flag(help: "Record the distinct requests that policies decide, for virga policy and virga coverage. [VIRGA_USAGE]")
    var usage = false

    @Option(
        help: ArgumentHelp(
            "Where to post the events of buckets for a topic, queue, function or event bus; may be repeated. [VIRGA_EVENT_TARGET]",
            valueName: "ARN=URL"))
    var eventTarget: [String] = []

    @Option(
        help: ArgumentHelp(
            "URL of a KMS that S3 asks whether the key of an object may be used; otherwise any name is a key. [VIRGA_KMS_URL]",
            valueName: "url"))
    var kmsURL: String?

    @Option(
        help: "Length of a day of lifecycle rules in seconds, for test suites that wait for them. [VIRGA_LIFECYCLE_DAY, default 86400]")
    var lifecycleDay: Int64?

    @Option(
        help:
            "Seconds that running requests have to finish after SIGTERM or SIGINT; a second signal stops at once. [VIRGA_GRACE, default 10]"
    )
    var grace: Int64?

    @OptionGroup var sandboxArguments: SandboxArguments
    @OptionGroup var connectionArguments: ConnectionArguments

    @OptionGroup var logging: LoggingArguments

    @Option(help: "File to write when ready, with one URL a line; removed at exit. [VIRGA_READY_FILE]")
    var readyFile: String?

    @Option(
        help: """
            Command to run by the shell when ready, with the variables of virga env. If it fails, the server stops. [VIRGA_ON_READY]
            """)
    var onReady: String?

    func run() async throws {
        let log = try logging.read()
        log.bootstrap()
        var settings = try settings()
        settings.requestLog = log.requestLog
        let start = Start(
            readyFile: readyFile ?? Variables.value("READY_FILE"), command: onReady ?? Variables.value("ON_READY"),
            controlToken: settings.controlToken, banner: log.isQuiet ? nil : Banner(settings: settings),
            listeners: settings.ports.count + settings.securePorts.count)
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
    private func settings() throws -> Settings {
        var settings = Settings()
        let ports = port.isEmpty ? try Variables.values("PORT").map { try Self.port($0, "PORT") } : port
        if !ports.isEmpty { settings.ports = ports }
        settings.securePorts = tlsPort.isEmpty ? try Variables.values("TLS_PORT").map { try Self.port($0, "TLS_PORT") } : tlsPort
        for (option, ports) in [("--port", settings.ports), ("--tls-port", settings.securePorts)] {
            for port in ports where !(0...65535).contains(port) {
                throw ValidationError("\(option) must be from 0 to 65535, not \(port).")
            }
        }
        settings.authorityFile = caFile ?? Variables.value("CA_FILE")
        if settings.authorityFile != nil, settings.securePorts.isEmpty {
            throw ValidationError("--ca-file needs --tls-port: without TLS there is no certificate to trust.")
        }
        if let host = host ?? Variables.value("HOST") {
            // An IPv6 address may have the brackets of a URL.
            settings.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        }
        let folder = data ?? (ephemeral ? nil : Variables.value("DATA"))
        guard !(ephemeral && data != nil) else { throw ValidationError("--data and --ephemeral cannot be combined.") }
        settings.folder = try Variables.flag("EPHEMERAL") && data == nil ? nil : folder
        settings.isSynced = try sync || Variables.flag("SYNC")
        if settings.isSynced, settings.folder == nil {
            throw ValidationError("--sync needs --data: without a data folder, nothing is kept after the end of the process.")
        }
        if let name = dialect ?? Variables.value("DIALECT") { settings.dialect = try Self.dialect(name) }
        if let name = regions ?? Variables.value("REGIONS") {
            guard let rule = RegionRule(rawValue: name) else { throw ValidationError("--regions must be any or strict, not \(name).") }
            settings.regions = rule
        }
        if let defaults = bucketDefaults ?? Variables.value("BUCKET_DEFAULTS") {
            guard let configuration = Self.bucketConfigurations[defaults] else {
                throw ValidationError("--bucket-defaults must be modern or legacy, not \(defaults).")
            }
            settings.newBuckets = configuration
        }
        let publicURL = publicURL ?? Variables.value("PUBLIC_URL")
        let publicOrigin = publicURL.flatMap { OriginArgument($0) }
        if let publicURL, publicOrigin == nil {
            throw ValidationError(
                "--public-url must begin with http:// or https://, and have a host and no more than a port, not '\(publicURL)'.")
        }
        let aliases = alias.isEmpty ? Variables.values("ALIAS") : alias
        for alias in aliases where !OriginArgument.isHost(alias) {
            throw ValidationError("--alias must be the name of a host, without scheme and port, not '\(alias)'.")
        }
        settings.names = HostNames(
            publicURL: publicOrigin?.text, aliases: Set((aliases + [settings.host]).map { $0.lowercased() }))
        settings.trustedProxies = try TrustedProxies(flags: trustForwarded)
        settings.issuersOverHTTP = try issuersOverHTTP || Variables.flag("ISSUERS_OVER_HTTP")
        settings.trustedAuthorityFiles = trustedAuthorities.isEmpty ? Variables.values("TRUST_CA") : trustedAuthorities
        settings.controlToken = try controlToken.read()
        if try settings.controlToken == nil && (requireControlToken || Variables.flag("REQUIRE_CONTROL_TOKEN")) {
            throw Failure(
                description: """
                    There is no control token. Set VIRGA_CONTROL_TOKEN or VIRGA_CONTROL_TOKEN_FILE, for a container with --env VIRGA_CONTROL_TOKEN=choose-one. \
                    Without one, any machine that reaches this server could reset it.
                    """)
        }
        settings.hasConsole = try !(noConsole || Variables.flag("NO_CONSOLE"))
        if let port = try consolePort ?? Variables.value("CONSOLE_PORT").map({ try Self.port($0, "CONSOLE_PORT") }) {
            guard (0...65535).contains(port) else { throw ValidationError("--console-port must be from 0 to 65535, not \(port).") }
            guard settings.hasConsole else { throw ValidationError("--console-port and --no-console cannot be combined.") }
            settings.consolePort = port
        }
        if settings.hasConsole, settings.controlToken != nil { settings.consoleCode = try randomBytes(18).base64url }
        settings.admitsForeignPages = try allowForeignPages || Variables.flag("ALLOW_FOREIGN_PAGES")
        if let mode = try Settings.Authorization(flag: authorization) { settings.authorization = mode }
        settings.recordsUsage = try usage || Variables.flag("USAGE")
        for target in eventTarget.isEmpty ? Variables.values("EVENT_TARGET") : eventTarget {
            // An ARN contains no equals sign, a URL may.
            let parts = target.split(separator: "=", maxSplits: 1).map { String($0) }
            guard parts.count == 2, isEventTarget(arn: parts[0], url: parts[1]) else {
                throw ValidationError("--event-target must be an ARN, =, and a URL that begins with http:// or https://, not \(target).")
            }
            settings.eventTargets[parts[0]] = parts[1]
        }
        settings.keyService = kmsURL ?? Variables.value("KMS_URL")
        if let url = settings.keyService, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
            throw ValidationError("--kms-url must be a URL that begins with http:// or https://, not \(url).")
        }
        if let day = try lifecycleDay ?? Variables.value("LIFECYCLE_DAY").map({ try Self.number($0, "LIFECYCLE_DAY") }) {
            guard (1...86_400).contains(day) else {
                throw ValidationError("--lifecycle-day must be from 1 to 86400 seconds, not \(day).")
            }
            settings.lifecycleDay = day
        }
        if let grace = try grace ?? Variables.value("GRACE").map({ try Self.number($0, "GRACE") }) {
            guard (0...86_400).contains(grace) else { throw ValidationError("--grace must be from 0 to 86400 seconds, not \(grace).") }
            settings.grace = grace
        }
        settings.sandboxes = try sandboxArguments.read(mainPorts: settings.ports)
        settings.connectionLimits = try connectionArguments.read()
        settings.allowsOutbound = try !(sandboxArguments.noOutbound || Variables.flag("NO_OUTBOUND"))
        settings.seeds = try reportingFailure { try Seeds.load(seed.isEmpty ? Variables.values("SEED") : seed, settings.dialect) }
        return settings
    }

    private static func number(_ text: String, _ variable: String) throws -> Int64 {
        guard let number = Int64(digits: text) else { throw ValidationError("VIRGA_\(variable) must be a number, not \(text).") }
        return number
    }

    private static func dialect(_ name: String) throws -> Dialect {
        guard let dialect = Dialect(rawValue: name) else {
            throw ValidationError("--dialect must be aws or ceph, not \(name).")
        }
        return dialect
    }

    private static let bucketConfigurations: [String: BucketConfiguration] = ["modern": .modern, "legacy": .legacy]

    private static func port(_ text: String, _ variable: String) throws -> Int {
        guard let port = Int(digits: text) else { throw ValidationError("VIRGA_\(variable) must be a number, not \(text).") }
        return port
    }
}

extension Settings.Authorization {
    /// Reads the mode from the flag, else the variable; `nil` if neither is given.
    /// - Throws: `ValidationError` for an unknown mode.
    init?(flag: String?) throws {
        guard let name = flag ?? Variables.value("AUTHORIZATION") else { return nil }
        guard let mode = Self(rawValue: name) else { throw ValidationError("--authorization must be enforce or report, not \(name).") }
        self = mode
    }
}
