import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the system knows of this process. Values that it does not report are `nil`. (proc(5), `/proc/pid/stat`.)
struct ProcessStatistics {
    /// The processor time in seconds, of user and system together.
    private(set) var cpu: Double?
    /// The resident memory in bytes.
    private(set) var residentMemory: Int?
    /// The virtual memory in bytes.
    private(set) var virtualMemory: Int?
    /// The start, in seconds since 1970.
    private(set) var start: Double?
    /// The number of threads.
    private(set) var threads: Int?
    /// The number of open file descriptors.
    private(set) var openDescriptors: Int?
    /// The maximum number of open file descriptors; `nil` if there is none.
    private(set) var descriptorLimit: Int?

    init() {
        let most = sysconf(Int32(_SC_OPEN_MAX))
        if most >= 0 { descriptorLimit = most }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        var usage = tms()
        if times(&usage) != -1 { cpu = Double(usage.tms_utime + usage.tms_stime) / ticks }
        openDescriptors = Descriptors.open
        // The name of the program, in parentheses, may contain spaces.
        guard let stat = (try? File.read("/proc/self/stat")) ?? nil, let end = stat.lastIndex(of: ")") else { return }
        let fields = stat[end...].split(separator: " ")
        // Numbered from 2, the name, as the manual does.
        func number(_ field: Int) -> Int? { fields.indices.contains(field - 2) ? Int(fields[field - 2]) : nil }
        threads = number(20)
        virtualMemory = number(23)
        residentMemory = number(24).map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
        if let boot = Self.boot, let since = number(22) { start = Double(boot) + Double(since) / ticks }
    }

    /// The time of the system's start, in seconds since 1970.
    private static let boot: Int? = {
        guard let stat = (try? File.read("/proc/stat")) ?? nil else { return nil }
        return stat.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Int($0.dropFirst("btime ".count)) }
    }()
}
