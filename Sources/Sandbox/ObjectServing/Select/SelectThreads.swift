import NIOCore
import NIOPosix
import Synchronization

/// The threads on which queries are parsed and evaluated, so that the event loops stay free.
///
/// All queries of a process share them, and take turns. They are half as many as the processors, which bounds what queries can use.
enum SelectThreads {
    /// The longest turn of a query. A longer record delays the next turn.
    static let turn = Duration.milliseconds(50)

    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: max(1, System.coreCount / 2))
        pool.start()
        return pool
    }()

    /// Runs work on the next free thread, behind the work that waits already.
    static func run<Output: Sendable>(_ work: @escaping @Sendable () -> Output) async -> Output {
        await withCheckedContinuation { continuation in
            pool.submit { _ in continuation.resume(returning: work()) }
        }
    }
}

extension SelectParser {
    /// Parses a statement on the threads of queries, because a long one takes long.
    /// - Throws: ``SelectRefusal`` for an invalid statement.
    package static func parse(_ text: String, _ dialect: SelectDialect = .oss) async throws(SelectRefusal) -> SelectStatement {
        let result = await SelectThreads.run { Result { () throws(SelectRefusal) in try statement(text, dialect) } }
        return try result.get()
    }
}
