import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The memory that the process has freed and the C library keeps.
enum FreeMemory {
    private typealias Trim = @convention(c) (Int) -> CInt

    /// Gives it back to the system. Only glibc has a call for that (malloc_trim(3)); Swift does not import its header.
    static func giveBack() async {
        // Up to some milliseconds, so not on a thread that serves requests.
        _ = try? await NIOThreadPool.singleton.runIfActive {
            guard let symbol = dlsym(nil, "malloc_trim") else { return }
            _ = unsafeBitCast(symbol, to: Trim.self)(0)
        }
    }
}
