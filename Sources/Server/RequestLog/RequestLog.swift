import Cloud
import NIOCore
import NIOPosix
import Synchronization
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes a line for each request to standard error.
///
/// A request adds its entry to a buffer and continues; one thread formats and writes the entries. The thread wakes immediately if its last
/// write was at least ``pause`` ago, and otherwise at the end of the pause: waking it for each line would halve the throughput of a busy
/// server. If standard error is slower than the server, lines are dropped, and a line reports how many.
package final class RequestLog: Sendable {
    private struct Waiting {
        var calls: [(entry: JournalEntry, time: Timestamp, duration: Duration)] = []
        var dropped = 0
        var isScheduled = false
        /// The time when the thread last emptied the buffer.
        var taken = NIODeadline.uptimeNanoseconds(0)
    }

    /// The maximum number of buffered entries; about 4 MiB.
    private static let limit = 8192
    private static let pause = TimeAmount.milliseconds(10)

    private let format: LogLine.Format
    private let isColoured: Bool
    private let showsEverything: Bool
    private let write: @Sendable (String) -> Void
    private let waiting = Mutex(Waiting())
    private let thread = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// - Parameters:
    /// - isColoured: whether statuses are colored.
    ///   - showsEverything: whether health checks, reads of the control API and pages of the web console are logged.
    ///   - write: writes complete lines.
    package init(
        format: LogLine.Format, isColoured: Bool, showsEverything: Bool = false,
        write: @escaping @Sendable (String) -> Void = StandardError.write
    ) {
        self.format = format
        self.isColoured = isColoured
        self.showsEverything = showsEverything
        self.write = write
    }

    /// Logs a request.
    /// - Parameters:
    ///   - time: the wall-clock time of arrival.
    ///   - duration: the time until the response head.
    func note(_ entry: JournalEntry, at time: Timestamp, after duration: Duration) {
        // An identity provider may also have one of these names.
        if !showsEverything, entry.face == "control" || entry.face == "console", !entry.target.hasPrefix("/idp/"),
            entry.method == "GET" || entry.method == "HEAD"
        {
            return
        }
        let start: NIODeadline? = waiting.withLock { waiting in
            guard waiting.calls.count < Self.limit else {
                waiting.dropped += 1
                return nil
            }
            waiting.calls.append((entry, time, duration))
            defer { waiting.isScheduled = true }
            return waiting.isScheduled ? nil : waiting.taken + Self.pause
        }
        if let start { thread.next().scheduleTask(deadline: start) { self.writeWaiting() } }
    }

    /// Writes the remaining entries and stops the thread.
    func close() async {
        try? await thread.next().submit { self.writeWaiting() }.get()
        try? await thread.shutdownGracefully()
    }

    private func writeWaiting() {
        let (calls, dropped) = waiting.withLock { waiting in
            defer { waiting = Waiting(taken: .now()) }
            return (waiting.calls, waiting.dropped)
        }
        guard !calls.isEmpty else { return }
        var text = ""
        for call in calls {
            let line = LogLine(call.entry, at: call.time, after: call.duration)
            switch format {
            case .text: text += line.text(isColoured: isColoured)
            case .json: text += line.json.serialized()
            }
            text += "\n"
        }
        if dropped > 0 { text += format == .text ? "    … \(dropped) more\n" : "{\"dropped\":\(dropped)}\n" }
        write(text)
    }
}

/// Standard error, unbuffered.
package enum StandardError {
    /// Writes the whole text; stops if the stream is closed.
    @Sendable package static func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                    Glibc.write(STDERR_FILENO, buffer.baseAddress, buffer.count)
                #elseif canImport(Musl)
                    Musl.write(STDERR_FILENO, buffer.baseAddress, buffer.count)
                #elseif canImport(Darwin)
                    Darwin.write(STDERR_FILENO, buffer.baseAddress, buffer.count)
                #endif
            }
            guard count > 0 || errno == EINTR else { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    /// Returns whether standard error is a terminal that shows colors. (no-color.org)
    package static func isColoured(noColor: String?) -> Bool { isatty(STDERR_FILENO) == 1 && (noColor ?? "").isEmpty }
}
