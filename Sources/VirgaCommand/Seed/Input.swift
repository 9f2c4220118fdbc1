#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard input, and files.
enum Input {
    /// Returns all remaining standard input.
    static func all() -> [UInt8] { rest(of: STDIN_FILENO) ?? [] }

    /// Returns the contents of a file or of a pipe; `nil` if there is no file with this path. A pipe without a writer is empty.
    /// - Throws: `Failure` if the file cannot be read.
    static func contents(of path: String) throws -> [UInt8]? {
        // Opening a named pipe would wait for a writer otherwise, maybe for ever.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure(description: "cannot read \(path): \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        // A writer of a pipe that exists already is waited for, such as that of a process substitution.
        _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK)
        guard let bytes = rest(of: file) else { throw Failure(description: "cannot read \(path): \(String(cString: strerror(errno)))") }
        return bytes
    }

    /// Returns what is left to read; `nil` if reading failed at the start.
    private static func rest(of descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, bytes.isEmpty { return nil }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }
}
