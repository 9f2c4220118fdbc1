#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The folder for the files of `virga env`, which only the user can use. Other users could replace files in the folder for temporary files.
enum OwnFolder {
    /// Returns the path of the folder, which is created if there is none.
    /// - Throws: ``Failure`` if the path is not a folder that only the user can use.
    static func path() throws -> String {
        try path(runtime: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }, temporary: PrivateFile.temporaryFiles)
    }

    /// Returns the path of the folder.
    /// - Parameters:
    ///   - runtime: the folder for the files of the user's session (XDG Base Directory Specification); `nil` if there is none. Another user's
    ///     folder is not used: some programs keep the variable when they change the user.
    ///   - temporary: the folder for temporary files of all users.
    static func path(runtime: String?, temporary: String) throws -> String {
        var path = "\(temporary)/virga-\(geteuid())"
        if let runtime, runtime.utf8.first == UInt8(ascii: "/"), HomeFolder.isPrivate(runtime) { path = "\(runtime)/virga" }
        try HomeFolder.makePrivate(path)
        return path
    }
}
