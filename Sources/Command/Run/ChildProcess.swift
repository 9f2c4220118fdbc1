import NIOPosix
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs a command as a child process, and forwards signals to it.
enum ChildProcess {
    /// The forwarded signals.
    private static let forwarded = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    /// The descriptors and signal settings that a command inherits, recorded before this process opens any files.
    struct Inheritance: Sendable {
        fileprivate let ignoresBrokenPipes: Bool
        fileprivate let descriptors: Set<Int32>

        init() {
            ignoresBrokenPipes = ChildProcess.isIgnored(SIGPIPE)
            descriptors = ChildProcess.openDescriptors
        }
    }

    /// The role of a command.
    enum Role: Sendable {
        /// The main command, which receives the signals of this process; ``catchSignals()`` was called before.
        case main
        /// A helper in its own process group, which `stop` ends. Its standard output is this process's standard error.
        case helper(stop: ChildStop)
    }

    /// Starts to catch signals before the command runs, so that none of them ends this process without removing its files.
    static func catchSignals() {
        SignalForwarding.prepare()
        for signal in forwarded where !isIgnored(signal) { SignalForwarding.install(signal) }
    }

    /// Runs a command and waits for its end.
    /// - Parameter command: a name that is looked up in PATH, or a path, followed by the arguments; not empty.
    /// - Returns: the exit code; 128 plus the number of the signal that ended it; 127 for a command that was not found, 126 for one that
    ///   cannot be executed. (POSIX.1, "Shell Command Language", "Exit Status for Commands".)
    static func run(
        _ command: [String], environment: [String: String], inheriting inheritance: Inheritance, as role: Role = .main
    ) -> Int32 {
        if case .main = role, let signal = SignalForwarding.signalBeforeStart { return 128 + signal }
        var process: pid_t = 0
        let failure = spawn(&process, command, environment, inheritance, role)
        guard failure == 0 else {
            Output.note("virga: \(command[0]): \(failure == ENOENT ? "command not found" : String(cString: strerror(failure)))")
            return failure == ENOENT ? 127 : 126
        }
        switch role {
        case .main: SignalForwarding.begin(process)
        case .helper(let stop): stop.begin(process)
        }
        // WNOWAIT keeps the process ID reserved until no more signals are forwarded to it.
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        switch role {
        case .main: SignalForwarding.end()
        case .helper(let stop): stop.end()
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    private static func spawn(
        _ process: inout pid_t, _ command: [String], _ environment: [String: String], _ inheritance: Inheritance, _ role: Role
    ) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        if !inheritance.ignoresBrokenPipes { sigaddset(&defaults, SIGPIPE) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var mask = sigset_t()
        sigemptyset(&mask)
        posix_spawnattr_setsigmask(&attributes, &mask)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        if case .helper = role {
            flags |= POSIX_SPAWN_SETPGROUP
            posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        for descriptor in openDescriptors.subtracting(inheritance.descriptors) where descriptor > STDERR_FILENO {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        return posix_spawnp(&process, command[0], &actions, &attributes, &arguments, &variables)
    }

    private static var openDescriptors: Set<Int32> {
        guard let folder = opendir("/dev/fd") else { return [] }
        defer { closedir(folder) }
        var open: Set<Int32> = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let descriptor = Int32(name) { open.insert(descriptor) }
        }
        return open.subtracting([dirfd(folder)])
    }

    /// Returns whether this process was started with a signal ignored, as with `nohup`.
    static func isIgnored(_ signal: Int32) -> Bool {
        var current = sigaction()
        sigaction(signal, nil, &current)
        return current.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) } == 1
    }
}

/// Stops a helper command early.
final class ChildStop: Sendable {
    /// The process group of the running command, and whether it should stop.
    private let state = Mutex<(process: pid_t?, isStopped: Bool)>((nil, false))

    /// The time between SIGTERM and SIGKILL, in tenths of a second.
    private static let killDelay = 20

    fileprivate func begin(_ process: pid_t) {
        let isStopped = state.withLock { state in
            state.process = process
            return state.isStopped
        }
        if isStopped { stop() }
    }

    fileprivate func end() { state.withLock { $0.process = nil } }

    /// Sends SIGTERM to the command's group, and SIGKILL if it continues to run. Returns immediately.
    func stop() {
        guard signal(SIGTERM) else { return }
        NIOThreadPool.singleton.submit { _ in
            for _ in 0..<Self.killDelay {
                usleep(100_000)
                if self.state.withLock({ $0.process == nil }) { return }
            }
            _ = self.signal(SIGKILL)
        }
    }

    /// Sends a signal under the lock, so that the process ID still belongs to the command.
    private func signal(_ number: Int32) -> Bool {
        state.withLock { state in
            state.isStopped = true
            guard let process = state.process else { return false }
            kill(-process, number)
            return true
        }
    }
}

/// Forwards the signals of this process to its child.
///
/// A terminal sends Ctrl-C to the whole process group, so the child receives it directly, and signals from the kernel are not forwarded.
/// The exception is SIGHUP: a closed terminal sends it only to the session leader, which may be this process.
private enum SignalForwarding {
    /// The child's process ID, or 0, and the signal that arrived before the child started. Atomic, since signal handlers use them.
    private static let child = Atomic<Int32>(0)
    private static let early = Atomic<Int32>(0)

    /// Initializes the static variables, which a signal handler must not do.
    static func prepare() {
        child.store(0, ordering: .sequentiallyConsistent)
        early.store(0, ordering: .sequentiallyConsistent)
    }

    static func install(_ signal: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { signal, information, _ in
            // 0x80 is SI_KERNEL: sent by a terminal.
            if information?.pointee.si_code == 0x80, signal != SIGHUP, SignalForwarding.child.load(ordering: .sequentiallyConsistent) > 0 {
                return
            }
            let process = SignalForwarding.child.load(ordering: .sequentiallyConsistent)
            if process > 0 {
                kill(process, signal)
            } else {
                SignalForwarding.early.store(signal, ordering: .sequentiallyConsistent)
            }
        }
        action.sa_flags = SA_SIGINFO | SA_RESTART
        sigaction(signal, &action, nil)
    }

    /// The signal that arrived before the child started.
    static var signalBeforeStart: Int32? {
        let signal = early.load(ordering: .sequentiallyConsistent)
        return signal == 0 ? nil : signal
    }

    static func begin(_ process: pid_t) {
        child.store(process, ordering: .sequentiallyConsistent)
        let signal = early.exchange(0, ordering: .sequentiallyConsistent)
        if signal != 0 { kill(process, signal) }
    }

    static func end() { child.store(0, ordering: .sequentiallyConsistent) }
}
