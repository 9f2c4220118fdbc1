#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes files that only their owner can read.
enum PrivateFile {
    /// Writes a file and replaces an existing one. It never writes into another owner's file or through a link.
    /// - Parameter takesDevices: whether a path to a device or a pipe, such as `/dev/stdout`, is written directly.
    static func write(_ text: String, to path: String, mode: mode_t = 0o600, takesDevices: Bool = false) throws {
        if takesDevices, let stream = standardStreams[path] { return try put(text, into: dup(stream), path) }
        if let target = FileIdentity(path, followsLinks: true), !target.isRegular {
            guard takesDevices else { throw Failure(description: "cannot write \(path): it is no file") }
            return try put(text, into: open(path, O_WRONLY | O_CLOEXEC), path)
        }
        // Written to a temporary file and renamed, so that readers never see a partial file.
        var template = Array("\(path).XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else { throw failure(path) }
        do {
            try put(text, into: descriptor, path)
            guard chmod(temporary, mode) == 0, rename(temporary, path) == 0 else { throw failure(path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// The names of the standard streams. They may lead to regular files, and are links that must not be replaced.
    private static let standardStreams = [
        "/dev/stdout": STDOUT_FILENO, "/dev/fd/1": STDOUT_FILENO, "/proc/self/fd/1": STDOUT_FILENO, "/dev/stderr": STDERR_FILENO,
        "/dev/fd/2": STDERR_FILENO, "/proc/self/fd/2": STDERR_FILENO,
    ]

    private static func put(_ text: String, into descriptor: Int32, _ path: String) throws {
        guard descriptor >= 0, let file = fdopen(descriptor, "w") else { throw failure(path) }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else { throw failure(path) }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(description: "cannot write \(path): \(String(cString: strerror(errno)))")
    }

    /// Returns the absolute path.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Creates a folder in the folder for temporary files.
    static func temporaryFolder() throws -> String {
        var template = Array("\(temporaryFiles)/virga-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(description: "cannot create a folder in \(temporaryFiles): \(String(cString: strerror(errno)))")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The folder for temporary files.
    static var temporaryFiles: String {
        guard let folder = getenv("TMPDIR").map({ String(cString: $0) }), !folder.isEmpty else { return "/tmp" }
        return folder.hasSuffix("/") && folder.count > 1 ? String(folder.dropLast()) : folder
    }
}
