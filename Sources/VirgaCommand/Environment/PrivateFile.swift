#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files that only their owner can read.
enum PrivateFile {
    /// Writes a file, in place of one that is there.
    static func write(_ text: String, to path: String, mode: mode_t = 0o600) throws {
        // A file of another owner, or a link of one, is not written through.
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure(description: "cannot write \(path): \(String(cString: strerror(errno)))") }
        guard let file = fdopen(descriptor, "w"), fputs(text, file) >= 0, fclose(file) == 0 else {
            throw Failure(description: "cannot write \(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Makes a folder in the folder for temporary files.
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
