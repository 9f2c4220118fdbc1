import ArgumentParser
import WireFormats

/// A flag of `virga serve`. A variable replaces it if it is not given: its name is that of the flag in capitals, behind `VIRGA_`.
struct ServeFlag: Sendable {
    /// The name, without the two hyphens.
    let name: String
    private let purpose: String
    private let value: String?
    private let otherwise: String?

    /// - Parameters:
    ///   - purpose: what it does, for the help.
    ///   - value: the name of its value in the help; `nil` for its own name.
    ///   - otherwise: what applies without it, for the help.
    private init(_ name: String, _ purpose: String, value: String? = nil, otherwise: String? = nil) {
        self.name = name
        self.purpose = purpose
        self.value = value
        self.otherwise = otherwise
    }

    /// The name for the argument parser.
    var key: NameSpecification { .customLong(name) }

    /// The help for the argument parser.
    var help: ArgumentHelp {
        ArgumentHelp("\(purpose) [VIRGA_\(variable)" + (otherwise.map { ", \($0)" } ?? "") + "]", valueName: value)
    }

    private var variable: String { name.uppercased().replacing("-", with: "_") }
}

/// Each reader returns the value of the flag, else that of the variable, else `nil`, and throws `ValidationError` for one that is not
/// accepted.
extension ServeFlag {
    func text(_ flag: String?) -> String? { flag ?? Variables.value(variable) }

    func texts(_ flags: [String]) -> [String] { flags.isEmpty ? Variables.values(variable) : flags }

    func isOn(_ flag: Bool) throws -> Bool { try flag || Variables.flag(variable) }

    /// - Parameter unit: the unit of the number in the error.
    func number<Number: FixedWidthInteger>(
        _ flag: Number?, in range: ClosedRange<Number>, unit: String? = nil
    ) throws -> Number? {
        var given = flag
        if given == nil, let text = Variables.value(variable) { given = try parsed(text) }
        guard let given else { return nil }
        try check(given, range, unit)
        return given
    }

    func numbers<Number: FixedWidthInteger>(_ flags: [Number], in range: ClosedRange<Number>) throws -> [Number] {
        var given = flags
        if given.isEmpty { for text in Variables.values(variable) { given.append(try parsed(text)) } }
        for number in given { try check(number, range, nil) }
        return given
    }

    /// - Parameter choices: the accepted values, with what each means.
    func choice<Choice>(_ flag: String?, of choices: [(String, Choice)]) throws -> Choice? {
        guard let given = text(flag) else { return nil }
        guard let choice = choices.first(where: { $0.0 == given }) else {
            let names = choices.map { $0.0 }
            throw refusal("\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")", given)
        }
        return choice.1
    }

    /// Returns the case that the value names.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ flag: String?) throws -> Choice? {
        try choice(flag, of: Choice.allCases.map { ($0.rawValue, $0) })
    }

    /// Returns the error for a value.
    /// - Parameter accepted: what is accepted.
    func refusal(_ accepted: String, _ given: some CustomStringConvertible) -> ValidationError {
        ValidationError("--\(name) must be \(accepted), not \(given).")
    }

    private func parsed<Number: FixedWidthInteger>(_ text: String) throws -> Number {
        guard let number = Number(digits: text) else { throw ValidationError("VIRGA_\(variable) must be a number, not \(text).") }
        return number
    }

    private func check<Number: FixedWidthInteger>(_ number: Number, _ range: ClosedRange<Number>, _ unit: String?) throws {
        guard range.contains(number) else {
            throw refusal("from \(range.lowerBound) to \(range.upperBound)" + (unit.map { " \($0)" } ?? ""), number)
        }
    }
}

extension ServeFlag {
    /// The numbers of ports; 0 is any free one.
    static let ports = 0...65_535

    static let port = ServeFlag("port", "Port for HTTP; may be repeated; 0 picks a free one.", otherwise: "default 4566")
    static let tlsPort = ServeFlag("tls-port", "Port for HTTP over TLS, with HTTP/2; may be repeated; 0 picks a free one.")
    static let caFile = ServeFlag("ca-file", "Where to write the CA certificate that clients of the TLS ports should trust.")
    static let host = ServeFlag("host", "Address to listen on.", otherwise: "default 127.0.0.1")
    static let data = ServeFlag("data", "Folder that keeps the cloud across restarts.")
    static let sync = ServeFlag("sync", "Sync each write to the disk, so that an acknowledged one survives a power failure; needs --data.")
    static let ephemeral = ServeFlag("ephemeral", "Keep nothing. This is the default without --data.")
    static let seed = ServeFlag("seed", "JSON5 file that fills a new cloud; may be repeated.", otherwise: "default the built-in seed")
    static let bucketDefaults = ServeFlag(
        "bucket-defaults",
        "How new buckets are configured: modern (ACLs off, public access blocked) or legacy (as before April 2023).",
        otherwise: "default modern")
    static let dialect = ServeFlag("dialect", "Which S3 to imitate where they differ: aws or ceph.", otherwise: "default aws")
    static let regions = ServeFlag(
        "regions",
        "Whether S3 rejects requests for another region than the bucket's: strict does, any does not.",
        otherwise: "default strict at names of amazonaws.com, else any")
    static let publicURL = ServeFlag("public-url", "Origin of every URL in responses, whichever host was addressed.")
    static let alias = ServeFlag("alias", "Another host name of this server; may be repeated.")
    static let trustForwarded = ServeFlag(
        "trust-forwarded", "Addresses of proxies whose Forwarded and X-Forwarded headers are believed; may be repeated.", value: "cidr,…")
    static let issuersOverHTTP = ServeFlag("issuers-over-http", "Accept identity providers with http URLs and ports, which AWS does not.")
    static let trustedAuthorities = ServeFlag(
        "trust-ca", "Certificate to trust for servers that this one calls, besides the system's; may be repeated.", value: "file")
    static let requireControlToken = ServeFlag(
        "require-control-token", "Refuse to start without a control token, as the container image does.")
    static let consolePort = ServeFlag(
        "console-port", "Port that serves the web console and nothing else; 0 picks a free one.", value: "port")
    static let noConsole = ServeFlag("no-console", "Serve no web console.")
    static let allowForeignPages = ServeFlag(
        "allow-foreign-pages", "Let pages of any site sign requests with well-known keys such as test/test.")
    static let authorization = ServeFlag(
        "authorization",
        "What happens to requests that policies deny: enforce refuses them; report serves them and reports the denial.",
        otherwise: "default enforce")
    static let usage = ServeFlag("usage", "Record the distinct requests that policies decide, for virga policy and virga coverage.")
    static let eventTarget = ServeFlag(
        "event-target", "Where to post the events of buckets for a topic, queue, function or event bus; may be repeated.", value: "ARN=URL")
    static let kmsURL = ServeFlag(
        "kms-url", "URL of a KMS that S3 asks whether the key of an object may be used; otherwise that of --forward, or any name is a key.",
        value: "url")
    static let forward = ServeFlag(
        "forward",
        "AWS services that another server has, and its URL, such as sqs,sns=http://127.0.0.1:5000; * means all others; may be repeated.",
        value: "services=URL")
    static let forwardUnmapped = ServeFlag(
        "forward-unmapped",
        "What happens to forwarded calls whose permission is not known: deny refuses them; allow forwards them without a decision.",
        value: "deny|allow", otherwise: "default deny")
    static let forwardWait = ServeFlag(
        "forward-wait", "How long a call waits for a server of --forward that does not listen yet.", value: "seconds",
        otherwise: "default 0")
    static let forwardBodyLimit = ServeFlag(
        "forward-body-limit", "The maximum size of the body of a forwarded call.", value: "mib", otherwise: "default 64")
    static let lifecycleDay = ServeFlag(
        "lifecycle-day", "Length of a day of lifecycle rules in seconds, for test suites that wait for them.", otherwise: "default 86400")
    static let grace = ServeFlag(
        "grace",
        "Seconds that running requests have to finish after SIGTERM or SIGINT; a second signal stops at once.", otherwise: "default 10")
    static let readyFile = ServeFlag("ready-file", "File to write when ready, with one URL a line; removed at exit.")
    static let onReady = ServeFlag(
        "on-ready", "Command to run by the shell when ready, with the variables of virga env. If it fails, the server stops.")

    static let sandboxes = ServeFlag("sandboxes", "The most sandboxes that may exist besides the default one.", otherwise: "default 100")
    static let sandboxesOpen = ServeFlag(
        "sandboxes-open", "The most sandboxes that are open at once; the least recently used is closed.", otherwise: "default 32")
    static let sandboxIdle = ServeFlag(
        "sandbox-idle", "How long a sandbox stays open without a request, such as PT15M.", value: "duration", otherwise: "default PT15M")
    static let sandboxSize = ServeFlag(
        "sandbox-size", "The most bytes of a sandbox's database, with K, M or G behind the number.", value: "size", otherwise: "no limit")
    static let sandboxPorts = ServeFlag(
        "sandbox-ports",
        "The ports for sandboxes, or 0 for any free ones.", value: "first-last", otherwise: "default 4600-4699; 0 with --port 0")
    static let sandboxesOnDemand = ServeFlag(
        "sandboxes-on-demand",
        "Create a sandbox from this snapshot, or from \"seed\", when a request names one that does not exist.", value: "snapshot")
    static let noOutbound = ServeFlag("no-outbound", "Send no requests to other servers.")

    static let connections = ServeFlag(
        "connections", "The most connections at once; further ones get 503.", otherwise: "as many as open files allow")
    static let headTimeout = ServeFlag(
        "head-timeout", "How long the head of a request or a TLS handshake may take.", value: "seconds", otherwise: "default 30")
    static let bodyTimeout = ServeFlag(
        "body-timeout", "How long the body of a request may pause.", value: "seconds", otherwise: "default 60")
    static let idleTimeout = ServeFlag(
        "idle-timeout",
        "How long a connection stays open without a request, or without reading its response.", value: "seconds", otherwise: "default 300")
    static let responseMemory = ServeFlag(
        "response-memory", "The memory of responses that clients have not read, for all together.", value: "mib", otherwise: "default 32")

    static let logLevel = ServeFlag(
        "log-level", "Lowest level that is logged: debug, info, notice, warning or error.", otherwise: "default info")
    static let quiet = ServeFlag("quiet", "Log warnings and errors only, and print no banner.")
    static let logFormat = ServeFlag("log-format", "How lines are written: text or json.", otherwise: "default text")
}
