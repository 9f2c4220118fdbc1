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

/// Writes a line for each call to standard error.
///
/// A call leaves its entry and goes on; one thread makes lines of the entries and writes them. It wakes at once where it has rested for
/// ``pause``, and otherwise at the end of the pause: to wake a thread for each line would halve the rate of a busy server. Where the reader of
/// standard error is slower than the server, lines are left out, and a line says how many.
package final class RequestLog: Sendable {
    private struct Waiting {
        var calls: [(entry: JournalEntry, time: Timestamp, duration: Duration)] = []
        var dropped = 0
        var isScheduled = false
        /// When the thread last took what waited.
        var taken = NIODeadline.uptimeNanoseconds(0)
    }

    /// Calls that may wait; about 4 MiB.
    private static let limit = 8192
    private static let pause = TimeAmount.milliseconds(10)

    private let format: LogLine.Format
    private let isColoured: Bool
    private let showsEverything: Bool
    private let write: @Sendable (String) -> Void
    private let waiting = Mutex(Waiting())
    private let thread = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// - Parameters:
    ///   - isColoured: whether statuses have colours.
    ///   - showsEverything: whether health checks and reads of the control API are shown.
    ///   - write: takes whole lines.
    package init(
        format: LogLine.Format, isColoured: Bool, showsEverything: Bool = false,
        write: @escaping @Sendable (String) -> Void = StandardError.write
    ) {
        self.format = format
        self.isColoured = isColoured
        self.showsEverything = showsEverything
        self.write = write
    }

    /// Notes a call.
    /// - Parameters:
    ///   - time: when it arrived, by the wall clock.
    ///   - duration: until the head of the response.
    func note(_ entry: JournalEntry, at time: Timestamp, after duration: Duration) {
        // An identity provider may have the name `control`.
        if !showsEverything, entry.face == "control", !entry.target.hasPrefix("/idp/"), entry.method == "GET" || entry.method == "HEAD" {
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

    /// Writes what is left and ends the thread.
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

/// Standard error, without a buffer.
package enum StandardError {
    /// Writes a text to its last byte, or not at all where nobody reads.
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

    /// Whether a person reads it in a terminal that shows colours. (no-color.org)
    package static func isColoured(noColor: String?) -> Bool { isatty(STDERR_FILENO) == 1 && (noColor ?? "").isEmpty }
}
