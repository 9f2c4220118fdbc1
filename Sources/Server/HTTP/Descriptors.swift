import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file descriptors that the process may have. Connections, ports and databases share them.
struct Descriptors: Sendable {
    /// The number of descriptors that are kept for other uses, at most a quarter of all.
    private static let reserve = 64
    /// The descriptors of an open sandbox with some readers.
    private static let perSandbox = 12

    /// The maximum number of open descriptors without the reserve.
    let usable: Int

    /// - Parameter limit: the number of descriptors that the process may open (`RLIMIT_NOFILE`); negative for no limit.
    init(limit: Int = sysconf(Int32(_SC_OPEN_MAX))) {
        usable = limit < 0 ? .max : limit - min(Self.reserve, limit / 4)
    }

    /// The number of sandboxes that can be open at the same time.
    var sandboxes: Int { max(1, usable / Self.perSandbox) }

    /// Returns whether so many further descriptors leave the reserve free.
    func hasRoom(for count: Int) -> Bool {
        guard usable < .max, let open = Self.open else { return true }
        return open + count <= usable
    }

    /// The number of open descriptors; `nil` if the system does not list them.
    static var open: Int? {
        #if os(Linux)
            let folder = "/proc/self/fd"
        #else
            let folder = "/dev/fd"
        #endif
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        // Without `.`, `..` and the stream itself.
        return count - 3
    }
}
