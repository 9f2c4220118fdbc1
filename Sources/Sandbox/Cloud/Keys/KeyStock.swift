import Cryptography
import NIOPosix
import Synchronization
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// RSA key pairs of a process that were made ahead of their use, because making one takes 20 to 200 ms of a processor.
///
/// Each key pair leaves the stock once. They are made by one thread of low priority, which exists only meanwhile. Nothing is made before
/// ``prepare(_:)`` or the first ``take()``, so a process that never signs need not make any.
package final class KeyStock: Sendable {
    /// What was made so far.
    package struct Counts: Sendable, Equatable {
        /// The key pairs that a caller waited for.
        package var waitedFor = 0
        /// The key pairs that were made ahead.
        package var ahead = 0
    }

    private struct State {
        var keys: [RSAPrivateKey] = []
        /// The keys that templates want.
        var wanted: [(template: TemplateKeys, name: TemplateKeys.Name)] = []
        /// How many key pairs are kept.
        var size: Int
        var counts = Counts()
        var isMaking = false
        var isClosed = false
        /// The callers that wait for the end of the making.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// How many key pairs are kept once one was taken. Several sandboxes can need their first key at once.
    private let fullSize: Int
    private let state: Mutex<State>
    private let hasBegun = Atomic(false)

    /// Creates an empty stock.
    /// - Parameters:
    ///   - initialSize: how many key pairs are kept before one was taken.
    ///   - fullSize: how many are kept afterwards. With 0, every key pair is made when it is taken.
    package init(initialSize: Int = 2, fullSize: Int = 8) {
        self.fullSize = fullSize
        state = Mutex(State(size: min(initialSize, fullSize)))
    }

    /// What was made so far.
    package var counts: Counts { state.withLock(\.counts) }

    /// Whether key pairs were made or are being made ahead.
    package var isPrepared: Bool { hasBegun.load(ordering: .relaxed) }

    /// Takes a key pair out, or makes one if there is none.
    /// - Throws: ``CryptographyError/operationFailed``.
    func take() async throws -> RSAPrivateKey {
        let known = state.withLock { $0.keys.popLast() }
        fill()
        if let known { return known }
        let made = try await NIOThreadPool.singleton.runIfActive { try RSAPrivateKey.generate() }
        state.withLock { $0.counts.waitedFor += 1 }
        return made
    }

    /// Begins to make what is missing, in the background.
    package func prepare() { begin([]) }

    /// Begins to make as many key pairs as can be kept, in the background.
    package func fill() {
        state.withLock { state in
            if !state.isClosed { state.size = fullSize }
        }
        begin([])
    }

    /// Begins to make the keys of a template, and then what is missing in the stock.
    package func prepare(_ template: TemplateKeys, _ names: [TemplateKeys.Name]) {
        guard fullSize > 0 else { return }
        begin(names.filter { template.isWanted($0) }.map { (template, $0) })
    }

    private func begin(_ wanted: [(template: TemplateKeys, name: TemplateKeys.Name)]) {
        let begins = state.withLock { state in
            guard !state.isClosed else { return false }
            state.wanted += wanted
            guard !state.isMaking, !state.wanted.isEmpty || state.keys.count < state.size else { return false }
            state.isMaking = true
            return true
        }
        guard begins else { return }
        hasBegun.store(true, ordering: .relaxed)
        // A thread of its own, because a thread cannot get its priority back.
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        pool.submit { [self] _ in
            Self.lowerPriority()
            makeMissing()
            pool.shutdownGracefully { _ in }
        }
    }

    /// Waits until nothing is being made ahead.
    package func settle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isMaking { state.waiting.append(continuation) }
                return !state.isMaking
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Ends the making ahead. Key pairs that are taken afterwards are made then.
    package func close() async {
        state.withLock { state in
            (state.isClosed, state.size) = (true, 0)
            (state.keys, state.wanted) = ([], [])
        }
        await settle()
    }

    private func makeMissing() {
        while true {
            let (goesOn, wish) = state.withLock { state -> (Bool, (template: TemplateKeys, name: TemplateKeys.Name)?) in
                // A request may have needed one meanwhile.
                while let first = state.wanted.first, !first.template.isWanted(first.name) { state.wanted.removeFirst() }
                return (!state.isClosed && (!state.wanted.isEmpty || state.keys.count < state.size), state.wanted.first)
            }
            // A failure is reported to the caller who needs a key, and not repeated here.
            guard goesOn, let key = try? RSAPrivateKey.generate(while: { !state.withLock(\.isClosed) }) else { break }
            let isUsed = wish.map { $0.template.keep(key, as: $0.name) } ?? false
            state.withLock { state in
                state.counts.ahead += 1
                if !isUsed, !state.isClosed { state.keys.append(key) }
            }
        }
        let waiting = state.withLock { state in
            defer { (state.isMaking, state.waiting) = (false, []) }
            return state.waiting
        }
        for caller in waiting { caller.resume() }
    }

    /// Lets the requests of the process go first.
    private static func lowerPriority() {
        #if canImport(Darwin)
            setpriority(PRIO_DARWIN_THREAD, 0, PRIO_DARWIN_BG)
        #else
            // On Linux, the priority of the calling thread. The C libraries declare PRIO_PROCESS, 0, with different types.
            _ = setpriority(0, 0, 10)
        #endif
    }
}
