import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Opens files that must be regular: opening a pipe would wait for a writer, and reading a device might never end.
package enum RegularFile {
    /// Opens a file for reading, without ever waiting.
    /// - Returns: the descriptor; `nil` if there is no regular file, and ``reason`` says why then.
    package static func open(_ path: String) -> Int32? {
        #if canImport(Glibc)
            let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        #elseif canImport(Musl)
            let file = Musl.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        #elseif canImport(Darwin)
            let file = Darwin.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        #endif
        guard file >= 0 else { return nil }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            errno = 0
            return nil
        }
        return file
    }

    /// Why the last file was not opened.
    package static var reason: String { errno == 0 ? "it is not a regular file" : String(cString: strerror(errno)) }
}
