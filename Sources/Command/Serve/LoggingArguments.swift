import ArgumentParser
import Logging
import VirgaServer
import WireFormats

/// The options for logging to standard error.
struct LoggingArguments: ParsableArguments {
    @Option(name: ServeFlag.logLevel.key, help: ServeFlag.logLevel.help) var logLevel: String?
    @Flag(name: ServeFlag.quiet.key, help: ServeFlag.quiet.help) var quiet = false
    @Option(name: ServeFlag.logFormat.key, help: ServeFlag.logFormat.help) var logFormat: String?

    /// Returns the settings from flags and variables.
    func read() throws -> LogSettings {
        var settings = LogSettings()
        let levels: [(String, Logger.Level)] = [
            ("debug", .debug), ("info", .info), ("notice", .notice), ("warning", .warning), ("error", .error),
        ]
        if let level = try ServeFlag.logLevel.choice(logLevel, of: levels) { settings.level = level }
        if try ServeFlag.quiet.isOn(quiet) { settings.level = max(settings.level, .warning) }
        if let format: LogLine.Format = try ServeFlag.logFormat.choice(logFormat) { settings.format = format }
        return settings
    }
}

/// The resolved settings for logging to standard error.
struct LogSettings {
    var level = Logger.Level.info
    var format = LogLine.Format.text

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
