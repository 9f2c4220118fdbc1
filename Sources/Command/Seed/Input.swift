#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard input, and files.
enum Input {
    /// The most bytes of a document. A device has no end.
    private static let longest = 256 << 20

    /// Returns all remaining standard input.
    /// - Throws: `Failure` if it cannot be read or is too long.
    static func all() throws -> [UInt8] { try rest(of: STDIN_FILENO, named: "standard input", limit: longest) }

    /// Returns the contents of a file or of a pipe; `nil` if there is no file with this path. A pipe without a writer is empty.
    /// - Parameter limit: the most bytes that it can have.
    /// - Throws: `Failure` if the file cannot be read or is too long.
    static func contents(of path: String, limit: Int = longest) throws -> [UInt8]? {
        // Opening a named pipe would wait for a writer otherwise, maybe for ever.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(path)
        }
        defer { close(file) }
        // A writer of a pipe that exists already is waited for, such as that of a process substitution.
        _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK)
        return try rest(of: file, named: path, limit: limit)
    }

    /// Returns what is left to read.
    private static func rest(of descriptor: Int32, named name: String, limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(name) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw Failure(description: "cannot read \(name): it has more than \(size(limit))") }
        }
    }

    private static func size(_ bytes: Int) -> String { bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB" }

    private static func failure(_ name: String) -> Failure {
        Failure(description: "cannot read \(name): \(String(cString: strerror(errno)))")
    }
}
