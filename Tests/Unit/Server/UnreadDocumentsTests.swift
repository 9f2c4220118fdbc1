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

    @Test("are cut off if nothing of them was read, before those that are read steadily, although they came later")
    func steadyReader() {
        let read = add("read", 60)
        documents.renew(read, at: loop.now)
        for name in ["a", "b", "c"] {
            loop.advanceTime(by: .milliseconds(50))
            documents.renew(read, at: loop.now)
            _ = add(name, 60)
        }
        #expect(cut.names == ["a"])
        for _ in 0..<40 {
            loop.advanceTime(by: .milliseconds(50))
            documents.renew(read, at: loop.now)
        }
        #expect(cut.names == ["a", "b", "c"])
    }

    @Test("that are read steadily give way to a new one if all hold twice the limit")
    func readers() {
        let ids = ["a", "b", "c"].map { add($0, 60) }
        for id in [ids[1], ids[0], ids[2]] { documents.renew(id, at: loop.now) }
        let fourth = add("d", 20)
        documents.renew(fourth, at: loop.now)
        #expect(cut.names.isEmpty)
        _ = add("e", 10)
        #expect(cut.names == ["b"])
    }

    @Test("that were read once and no more are cut off after a second, before newer ones of which nothing was read")
    func stalledReader() {
        let read = add("read", 60)
        documents.renew(read, at: loop.now)
        loop.advanceTime(by: .seconds(1))
        _ = add("new", 60)
        #expect(cut.names == ["read"])
    }

    @Test("need memory for each, not for each part that is read of them")
    func places() {
        _ = add("unread", 10)
        let ids = ["a", "b"].map { add($0, 10) }
        documents.renew(ids[0], at: loop.now)
        for _ in 0..<1000 { documents.renew(ids[1], at: loop.now) }
        #expect(documents.places < 30)
        #expect(cut.names.isEmpty)
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
