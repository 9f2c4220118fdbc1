import NIOCore
import NIOEmbedded
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

    private let loop = EmbeddedEventLoop()
    private let documents = UnreadDocuments(limit: 100)
    private let cut = Cut()

    private func add(_ name: String, _ bytes: Int) -> UInt64 {
        documents.add(bytes, on: loop) { [cut] in cut.add(name) }
    }

    @Test("are cut off from the oldest on, as far as the new one needs")
    func oldest() {
        for name in ["a", "b", "c"] {
            _ = add(name, 30)
            loop.advanceTime(by: .seconds(1))
        }
        #expect(cut.names.isEmpty)
        _ = add("d", 60)
        #expect(cut.names == ["a", "b"])
    }

    @Test("are not cut off within a second")
    func young() {
        for name in ["a", "b"] { _ = add(name, 60) }
        loop.advanceTime(by: .milliseconds(999))
        _ = add("c", 80)
        #expect(cut.names.isEmpty)
    }

    @Test("are cut off after a second, although no other one follows")
    func burst() {
        _ = add("a", 60)
        loop.advanceTime(by: .milliseconds(400))
        for name in ["b", "c", "d"] { _ = add(name, 40) }
        loop.advanceTime(by: .milliseconds(600))
        #expect(cut.names == ["a"])
        loop.advanceTime(by: .milliseconds(400))
        #expect(cut.names == ["a", "b"])
        loop.advanceTime(by: .hours(1))
        #expect(cut.names == ["a", "b"])
    }

    @Test("are cut off at once if they hold twice the limit")
    func flood() {
        for name in ["a", "b", "c"] { _ = add(name, 60) }
        #expect(cut.names.isEmpty)
        _ = add("d", 60)
        #expect(cut.names == ["a"])
        #expect(documents.cuts == 1)
    }

    @Test("are not cut off while their clients read, but others that came later")
    func progress() {
        let read = add("read", 60)
        _ = add("unread", 60)
        for _ in 0..<3 {
            loop.advanceTime(by: .milliseconds(400))
            documents.renew(read, at: loop.now)
        }
        #expect(cut.names == ["unread"])
        _ = add("another", 60)
        loop.advanceTime(by: .seconds(1))
        #expect(cut.names == ["unread", "read"])
    }

    @Test("are not cut off if enough of them are read within a second")
    func readInTime() {
        let ids = ["a", "b", "c"].map { add($0, 50) }
        documents.remove(ids[2])
        loop.advanceTime(by: .hours(1))
        #expect(cut.names.isEmpty)
        // A new excess is noticed as well.
        _ = add("d", 50)
        #expect(cut.names == ["a"])
        _ = add("e", 50)
        loop.advanceTime(by: .hours(1))
        #expect(cut.names == ["a", "b"])
    }

    @Test("may be larger than the limit, if there is only one")
    func single() {
        _ = add("a", 500)
        loop.advanceTime(by: .hours(1))
        #expect(cut.names.isEmpty)
        _ = add("b", 1)
        #expect(cut.names == ["a"])
    }

    @Test("are not kept by the timer")
    func kept() {
        var documents: UnreadDocuments? = UnreadDocuments(limit: 1)
        weak let kept = documents
        for _ in 0..<2 { _ = documents?.add(1, on: loop) {} }
        documents = nil
        #expect(kept == nil)
    }

    @Test("do not count once they are read, in whatever order")
    func read() {
        let ids = ["a", "b", "c"].map { add($0, 30) }
        documents.remove(ids[1])
        documents.remove(ids[0])
        documents.remove(ids[0])
        loop.advanceTime(by: .seconds(1))
        _ = add("d", 70)
        #expect(cut.names.isEmpty)
        _ = add("e", 1)
        #expect(cut.names == ["c"])
    }
}
