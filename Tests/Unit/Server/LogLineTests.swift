import Cloud
import Synchronization
import Testing
import WireFormats

@testable import VirgaServer

@Suite("A line of the request log")
struct LogLineTests {
    private static let time = Timestamp(seconds: 1_795_262_400)

    private static func entry(
        _ target: String = "/box/a", caller: String? = nil, status: Int = 200, error: String? = nil, face: String = "s3",
        method: String = "GET"
    ) -> JournalEntry {
        JournalEntry(
            time: time, requestID: "0123456789ABCDEF", method: method, target: target, host: "localhost", face: face, caller: caller,
            operation: "GetObject", decisions: [], status: status, errorCode: error)
    }

    private static func text(_ entry: JournalEntry, isColoured: Bool = false) -> String {
        LogLine(entry, at: time, after: .microseconds(1340)).text(isColoured: isColoured)
    }

    @Test("has time, method, path, operation, caller, status and milliseconds")
    func line() {
        let line = Self.text(Self.entry(caller: "arn:aws:sts::000000000000:assumed-role/files/alice"))
        #expect(line == "12:00:00.000 GET /box/a s3:GetObject assumed-role/files/alice 200 1.3 ms")
        #expect(Self.text(Self.entry()).contains(" anonymous 200 "))
    }

    @Test("is followed by the error and the command that explains it")
    func refusal() throws {
        let lines = Self.text(Self.entry(status: 400, error: "ExpiredToken")).split(separator: "\n")
        try #require(lines.count == 2)
        #expect(lines[1] == "    ExpiredToken (virga explain 0123456789ABCDEF)")
        #expect(!Self.text(Self.entry(status: 404, error: "NoSuchKey")).contains("\n"))
    }

    @Test(
        "cannot be forged, and contains no terminal escapes",
        arguments: [
            ("/a\u{1B}[31m", "/a%1B[31m"), ("/a\nb", "/a%0Ab"), ("/a\u{9B}b", "/a%C2%9Bb"), ("/a\u{202E}b", "/a%E2%80%AEb"),
            ("/a\u{61C}b", "/a%D8%9Cb"), ("/ä", "/ä"),
        ])
    func hostile(target: String, shown: String) {
        let line = Self.text(Self.entry(target))
        #expect(line.contains(" \(shown) "))
        #expect(!line.contains("\n"))
    }

    @Test("masks secrets")
    func secrets() {
        #expect(Self.text(Self.entry("/me?access_token=abc&x=1")).contains("/me?access_token=…&x=1"))
    }

    @Test("has colors on request")
    func colours() {
        #expect(Self.text(Self.entry(), isColoured: true).contains("\u{1B}[32m200\u{1B}[0m"))
        #expect(!Self.text(Self.entry()).contains("\u{1B}"))
    }

    @Test("is a JSON object for programs")
    func json() {
        let json = LogLine(Self.entry(status: 403, error: "AccessDenied"), at: Self.time, after: .milliseconds(2)).json
        #expect(json["status"] == 403)
        #expect(json["error"] == "AccessDenied")
        #expect(json["service"] == "s3")
        #expect(json["milliseconds"] == .number(2))
    }

    @Test("is written for each call in order, but not for reads of the control API")
    func log() async throws {
        let written = Mutex("")
        let log = RequestLog(format: .text, isColoured: false) { text in written.withLock { $0 += text } }
        for number in 0..<100 { log.note(Self.entry("/\(number)"), at: Self.time, after: .zero) }
        log.note(Self.entry("/_virga/health", face: "control"), at: Self.time, after: .zero)
        log.note(Self.entry("/_virga/reset", face: "control", method: "POST"), at: Self.time, after: .zero)
        await log.close()
        let lines = written.withLock { $0 }.split(separator: "\n")
        try #require(lines.count == 101)
        #expect(lines[7].contains(" /7 "))
        #expect(lines[100].contains("/_virga/reset"))
    }

    /// The first write does not end until more calls have arrived than the queue holds.
    @Test("reports how many lines were dropped for a slow reader")
    func slowReader() async {
        let written = Mutex("")
        let (gate, open) = (AtomicGate(), 20_000)
        let log = RequestLog(format: .text, isColoured: false) { text in
            gate.wait()
            written.withLock { $0 += text }
        }
        for number in 0..<open { log.note(Self.entry("/\(number)"), at: Self.time, after: .zero) }
        gate.open()
        await log.close()
        let text = written.withLock { $0 }
        let shown = text.split(separator: "\n").filter { $0.contains(" GET ") }.count
        let notes = text.split(separator: "\n").filter { $0.hasPrefix("    … ") && $0.hasSuffix(" more") }
        let dropped = notes.compactMap { Int($0.dropFirst(6).dropLast(5)) }
        #expect(dropped.reduce(0, +) == open - shown)
        #expect(shown < open)
    }
}

/// A gate that blocks a thread until it is opened.
private final class AtomicGate: Sendable {
    private let isOpen = Atomic<Bool>(false)

    func wait() { while !isOpen.load(ordering: .acquiring) {} }
    func open() { isOpen.store(true, ordering: .releasing) }
}
