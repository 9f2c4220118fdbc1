import ArgumentParser
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard output, written a line at a time, so that the ready line is visible immediately.
enum Output {
    static func line(_ text: String) { put(text + "\n") }

    /// Writes text for programs. It adds a line feed only if standard output is a terminal.
    static func word(_ text: String) { isatty(STDOUT_FILENO) == 1 ? line(text) : put(text) }

    /// Returns whether standard output is a terminal that shows colors. (no-color.org)
    static func isColoured(noColor: String?) -> Bool { isatty(STDOUT_FILENO) == 1 && (noColor ?? "").isEmpty }

    /// Writes a line to standard error.
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

/// An error that is printed as one sentence on standard error, with exit code 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    /// - Parameter description: the sentence, which can contain what a server answered. It cannot control the terminal.
    init(description: String) {
        self.description =
            description.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }.joined(separator: "\n")
    }
}

/// Runs `body` and rethrows its errors as ``Failure`` with the error's own description.
func reporting<T>(_ body: () async throws -> T) async throws -> T {
    do {
        return try await body()
    } catch let error as any CustomStringConvertible & Error where !(error is ValidationError) {
        throw Failure(description: "\(error)")
    }
}

/// The synchronous version of ``reporting(_:)``.
func reportingFailure<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as any CustomStringConvertible & Error {
        throw Failure(description: "\(error)")
    }
}
