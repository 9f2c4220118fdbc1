import Cloud
import ControlDocuments
import Fixtures
import Testing
import WireFormats

@testable import ControlFace

@Suite("The progress of a sandbox")
struct SandboxProgressTests {
    private static let session = "arn:aws:sts::000000000000:assumed-role/r/alice"

    private static func entry(
        _ face: String, _ operation: String, caller: String? = nil, status: Int = 200, error: String? = nil, faults: [String] = [],
        time: Timestamp = Timestamp(seconds: 1)
    ) -> JournalEntry {
        JournalEntry(
            time: time, requestID: "ID", method: "GET", target: "/", host: "localhost", face: face, caller: caller, operation: operation,
            decisions: [], status: status, errorCode: error, faults: faults)
    }

    private static let cases: [(JournalEntry, SandboxProgress.Step?)] = [
        (entry("google", "Token", caller: "alice"), SandboxProgress.Step.login), (entry("control", "/tokens"), .login),
        (entry("company", "SignIn", caller: "alice", status: 302), .login), (entry("company", "SignIn"), nil),
        (entry("google", "Token", status: 400), nil), (entry("sts", "AssumeRoleWithWebIdentity"), .credentials),
        (entry("sts", "AssumeRoleWithWebIdentity", status: 400, error: "InvalidIdentityToken"), .broken),
        (entry("s3", "GetObject", caller: session), .read), (entry("oss", "PutObject", caller: "acs:ram::1:assumed-role/r/a"), .write),
        (entry("s3", "GetObject", caller: "arn:aws:iam::000000000000:root"), nil), (entry("s3", "GetObject"), nil),
        (entry("iam", "PutRolePolicy"), .policy), (entry("iam", "GetRolePolicy"), nil), (entry("s3", "PutBucketPolicy"), .policy),
        (entry("s3", "ListObjectsV2", faults: ["1"]), .broken), (entry("control", "/reset", status: 401), nil),
    ]

    @Test("derives steps from requests", arguments: cases)
    func steps(entry: JournalEntry, step: SandboxProgress.Step?) {
        var progress = SandboxProgress()
        progress.add([entry], active: Timestamp(seconds: 9))
        #expect(progress.steps == Set([step].compactMap(\.self)))
        #expect(progress.active == Timestamp(seconds: 9))
    }

    @Test("counts requests without those to the control API, and keeps the last refusal")
    func counts() {
        var progress = SandboxProgress()
        progress.add(
            [
                Self.entry("s3", "GetObject", status: 403, error: "AccessDenied"), Self.entry("sts", "AssumeRole", status: 401, error: "X"),
                Self.entry("control", "/info"), Self.entry("s3", "GetObject"),
            ], active: Timestamp(seconds: 1))
        #expect(progress.requests == 3)
        #expect(progress.refusals == 2)
        #expect(progress.lastRefusal?.operation == "sts AssumeRole")
        #expect(progress.lastRefusal?.error == "X")
    }

    @Test("is read once for each entry, continues when the sandbox opens again, and starts again after a reset or a restore")
    func book() async throws {
        try await withSandbox { cloud in
            let book = ProgressBook()
            let first = ProgressBook.Incarnation(world: 1, generation: cloud.generation)
            cloud.journal.append(Self.entry("s3", "GetObject", time: cloud.clock.now))
            for _ in 0..<3 { book.read("a", first, of: cloud) }
            #expect(book.progress(of: "a")?.requests == 1)
            cloud.journal.append(Self.entry("s3", "GetObject", time: cloud.clock.now))
            book.read("a", first, of: cloud)
            #expect(book.progress(of: "a")?.requests == 2)
            try await withSandbox { opened in
                opened.journal.append(Self.entry("s3", "GetObject", time: opened.clock.now))
                book.read("a", first, of: opened)
                #expect(book.progress(of: "a")?.requests == 3)
            }
            try await cloud.reset()
            book.read("a", ProgressBook.Incarnation(world: 1, generation: cloud.generation), of: cloud)
            #expect(book.progress(of: "a")?.requests == 0)
            book.forget("a")
            #expect(book.progress(of: "a") == nil)
        }
    }
}
