import ArgumentParser

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard output, a line at a time, so that whoever waits for the ready line sees it at once.
enum Output {
    static func line(_ text: String) { put(text + "\n") }

    /// A text that programs read, from a file perhaps, to its last byte: it ends a line for people alone.
    static func word(_ text: String) { isatty(STDOUT_FILENO) == 1 ? line(text) : put(text) }

    /// Whether a person reads standard output in a terminal that shows colours. (no-color.org)
    static func isColoured(noColor: String?) -> Bool { isatty(STDOUT_FILENO) == 1 && (noColor ?? "").isEmpty }

    /// A line on standard error.
    static func note(_ text: String) { put(text + "\n", to: STDERR_FILENO) }

    private static func put(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
    }
}

/// A failure that is told in one sentence on standard error, with exit code 1.
struct Failure: Error, CustomStringConvertible {
    var description: String
}

/// Runs `body`; whatever it throws is told in the words of the error, not in those of a debugger.
func reporting<T>(_ body: () async throws -> T) async throws -> T {
    do {
        return try await body()
    } catch let error as any CustomStringConvertible & Error where !(error is ValidationError) {
        throw Failure(description: "\(error)")
    }
}

/// The same for work that does not wait.
func reportingFailure<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as any CustomStringConvertible & Error {
        throw Failure(description: "\(error)")
    }
}
