import NIOPosix
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A command that runs as a child of this process, and gets its signals.
enum ChildProcess {
    /// Signals that end or steer a command.
    private static let forwarded = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    /// What a command inherits, taken before this process opens anything of its own.
    struct Inheritance: Sendable {
        fileprivate let ignoresBrokenPipes: Bool
        fileprivate let descriptors: Set<Int32>

        init() {
            ignoresBrokenPipes = ChildProcess.isIgnored(SIGPIPE)
            descriptors = ChildProcess.openDescriptors
        }
    }

    /// How a command runs beside this process.
    enum Role: Sendable {
        /// It stands for this process and gets the signals that this one gets; ``catchSignals()`` was called.
        case main
        /// It helps: a group of its own that `stop` ends, with standard output where this process's errors go.
        case helper(stop: ChildStop)
    }

    /// Keeps signals for a command that is yet to start, so that none of them ends this process with its files left behind.
    static func catchSignals() {
        SignalForwarding.prepare()
        for signal in forwarded where !isIgnored(signal) { SignalForwarding.install(signal) }
    }

    /// Runs a command to its end.
    /// - Parameter command: a name that is looked up in PATH, or a path, and arguments; not empty.
    /// - Returns: the exit code; 128 and the signal's number after a signal; 127 for a command that was not found, 126 for one that cannot
    ///   be executed. (POSIX.1, "Shell Command Language", "Exit Status for Commands".)
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
        // Not reaped yet: the number stays the command's until no signal is sent to it any more.
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

    /// Whether this process was started with a signal ignored, as `nohup` does.
    static func isIgnored(_ signal: Int32) -> Bool {
        var current = sigaction()
        sigaction(signal, nil, &current)
        return current.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) } == 1
    }
}

/// Ends a helping command before its time.
final class ChildStop: Sendable {
    /// The group of the command, while it runs; whether it is to end.
    private let state = Mutex<(process: pid_t?, isStopped: Bool)>((nil, false))

    /// How long a command has between SIGTERM and SIGKILL, in tenths of a second.
    private static let patience = 20

    fileprivate func begin(_ process: pid_t) {
        let isStopped = state.withLock { state in
            state.process = process
            return state.isStopped
        }
        if isStopped { stop() }
    }

    fileprivate func end() { state.withLock { $0.process = nil } }

    /// Asks the command's group to end, and ends it when it does not. Waits for neither.
    func stop() {
        guard signal(SIGTERM) else { return }
        NIOThreadPool.singleton.submit { _ in
            for _ in 0..<Self.patience {
                usleep(100_000)
                if self.state.withLock({ $0.process == nil }) { return }
            }
            _ = self.signal(SIGKILL)
        }
    }

    /// Under the lock, so that the number is still the command's.
    private func signal(_ number: Int32) -> Bool {
        state.withLock { state in
            state.isStopped = true
            guard let process = state.process else { return false }
            kill(-process, number)
            return true
        }
    }
}

/// Sends the signals that this process gets to its child.
///
/// A terminal sends Ctrl-C to the whole group, so the child has it already: what the kernel itself sent is not sent again. Of a terminal that
/// is gone it tells the leader of the session alone, which may be this process.
private enum SignalForwarding {
    /// The child, 0 if there is none, and the signal that came before there was one. Atomic, since handlers use them.
    private static let child = Atomic<Int32>(0)
    private static let early = Atomic<Int32>(0)

    /// Makes the statics, which no handler may do.
    static func prepare() {
        child.store(0, ordering: .sequentiallyConsistent)
        early.store(0, ordering: .sequentiallyConsistent)
    }

    static func install(_ signal: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { signal, information, _ in
            // SI_KERNEL, 0x80: by a terminal.
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

    /// The signal that came before there was a child.
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
