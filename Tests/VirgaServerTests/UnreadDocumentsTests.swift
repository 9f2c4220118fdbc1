import NIOCore
import Synchronization
import Testing

@testable import VirgaServer

@Suite("Responses that were built as a whole and are not read")
struct UnreadDocumentsTests {
    /// The names of the documents that were cut off.
    private final class Cut: Sendable {
        private let state = Mutex<[String]>([])

        var names: [String] { state.withLock { $0 } }

        func add(_ name: String) { state.withLock { $0.append(name) } }
    }

    private static func seconds(_ count: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(count) }

    private static func add(_ name: String, _ bytes: Int, _ second: Int64, to documents: UnreadDocuments, _ cut: Cut) -> UInt64 {
        documents.add(bytes, at: seconds(second)) { cut.add(name) }
    }

    @Test("are cut off from the oldest on, as far as the new one needs")
    func oldest() {
        let (documents, cut) = (UnreadDocuments(limit: 100), Cut())
        for (second, name) in ["a", "b", "c"].enumerated() { _ = Self.add(name, 30, Int64(second), to: documents, cut) }
        #expect(cut.names.isEmpty)
        _ = Self.add("d", 60, 10, to: documents, cut)
        #expect(cut.names == ["a", "b"])
    }

    @Test("are not cut off within a second")
    func young() {
        let (documents, cut) = (UnreadDocuments(limit: 100), Cut())
        _ = Self.add("a", 90, 5, to: documents, cut)
        _ = Self.add("b", 90, 5, to: documents, cut)
        #expect(cut.names.isEmpty)
        _ = Self.add("c", 90, 6, to: documents, cut)
        #expect(cut.names == ["a", "b"])
    }

    @Test("do not count once they are read, in whatever order")
    func read() {
        let (documents, cut) = (UnreadDocuments(limit: 100), Cut())
        let ids = ["a", "b", "c"].map { Self.add($0, 30, 0, to: documents, cut) }
        documents.remove(ids[1])
        documents.remove(ids[0])
        documents.remove(ids[0])
        _ = Self.add("d", 70, 10, to: documents, cut)
        #expect(cut.names.isEmpty)
        _ = Self.add("e", 1, 10, to: documents, cut)
        #expect(cut.names == ["c"])
    }
}
