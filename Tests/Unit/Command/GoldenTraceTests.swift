import Testing

@testable import VirgaCommand

@Suite("A golden trace")
struct GoldenTraceTests {
    @Test(
        "masks what differs from run to run",
        arguments: [
            ("arn:aws:s3:::box/6f1c9f2e-0000-4000-8000-0123456789ab/x", "arn:aws:s3:::box/<uuid>/x"),
            ("role/app/botocore-session-1795262400", "role/app/botocore-session-<time>"),
            ("GoSession-1795262400123456789", "GoSession-<time>"), ("box/0123456789abcdef0123", "box/<id>"),
            ("by ASIAABCDEFGHIJKLMNOP:", "by <key>:"),
        ])
    func masks(text: String, masked: String) {
        #expect(GoldenTrace.masked(text) == masked)
    }

    @Test(
        "keeps what seeds choose",
        arguments: [
            "arn:aws:iam::000000000000:role/personal-files-google", "personal-files/110169484474386276334/notes.txt",
            "employee-0001-alice", "amzn1.account.AHALICE3FILESTORE2PERSONALEX", "a-2234567890123", "2026-01-01",
        ])
    func keeps(text: String) {
        #expect(GoldenTrace.masked(text) == text)
    }
}
