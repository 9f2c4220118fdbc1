import ArgumentParser
import Logging
import VirgaServer
import WireFormats

/// The options for logging to standard error.
struct LoggingArguments: ParsableArguments {
    @Option(help: "Lowest level that is logged: debug, info, notice, warning or error. [VIRGA_LOG_LEVEL, default info]")
    var logLevel: String?

    @Flag(help: "Log warnings and errors only, and print no banner. [VIRGA_QUIET]")
    var quiet = false

    @Option(help: "How lines are written: text or json. [VIRGA_LOG_FORMAT, default text]")
    var logFormat: String?

    /// Returns the settings from flags and variables.
    func read() throws -> LogSettings {
        var settings = LogSettings()
        if let name = logLevel ?? Variables.value("LOG_LEVEL") {
            guard let level = LogSettings.levels[name] else {
                throw ValidationError("--log-level must be debug, info, notice, warning or error, not \(name).")
            }
            settings.level = level
        }
        if try quiet || Variables.flag("QUIET") { settings.level = max(settings.level, .warning) }
        if let name = logFormat ?? Variables.value("LOG_FORMAT") {
            guard let format = LogLine.Format(rawValue: name) else {
                throw ValidationError("--log-format must be text or json, not \(name).")
            }
            settings.format = format
        }
        return settings
    }
}

/// The resolved settings for logging to standard error.
struct LogSettings {
    var level = Logger.Level.info
    var format = LogLine.Format.text

    static let levels: [String: Logger.Level] = [
        "debug": .debug, "info": .info, "notice": .notice, "warning": .warning, "error": .error,
    ]

    /// Whether the banner is omitted.
    var isQuiet: Bool { level > .info || format == .json }

    /// The request log; `nil` if the level is above info.
    var requestLog: RequestLog? {
        guard level <= .info else { return nil }
        return RequestLog(
            format: format, isColoured: format == .text && StandardError.isColoured(noColor: Variables.all["NO_COLOR"]),
            showsEverything: level <= .debug)
    }

    /// Sends all log messages to standard error.
    func bootstrap() {
        let (level, format) = (level, format)
        LoggingSystem.bootstrap { label in
            // The messages of ServiceLifecycle repeat our own.
            MessageLog(format: format, logLevel: label == "virga" ? level : max(level, .error))
        }
    }
}

/// Writes log messages in the format of the request log.
struct MessageLog: LogHandler {
    let format: LogLine.Format
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    init(format: LogLine.Format, logLevel: Logger.Level) {
        self.format = format
        self.logLevel = logLevel
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let time = Timestamp.now().iso8601Milliseconds
        switch format {
        case .text:
            let details = all.map { " \($0.key)=\($0.value)" }.joined()
            StandardError.write("\(time.dropFirst(11).dropLast()) \(event.level.rawValue): \(event.message)\(details)\n")
        case .json:
            var object: JSONObject = [
                "time": .string(time), "level": .string(event.level.rawValue), "message": .string("\(event.message)"),
            ]
            for (name, value) in all { object[name] = .string("\(value)") }
            StandardError.write(JSONValue.object(object).serialized() + "\n")
        }
    }
}
