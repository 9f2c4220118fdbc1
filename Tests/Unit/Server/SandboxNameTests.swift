import ControlFace
import Testing

@testable import VirgaServer

@Suite("Names of sandboxes and snapshots")
struct SandboxNameTests {
    @Test("are labels of host names", arguments: ["a", "0", "gw0", "a-b", "a--b", String(repeating: "a", count: 40), "s3x", "defaults"])
    func valid(name: String) throws { try SandboxName.check(name) }

    @Test(
        "are nothing else",
        arguments: [
            "", "-a", "a-", "-", "A", "a.b", "a_b", "a b", "a/b", "..", ".", ".seed", "ä", "a\u{0}", "a\n",
            String(repeating: "a", count: 41),
        ])
    func invalid(name: String) { #expect(throws: SandboxRefusal.invalidName(name)) { try SandboxName.check(name) } }

    @Test(
        "leave those of services and of origins alone", arguments: ["default", "s3", "sts", "iam", "oss", "tvm", "www", "seed", "nothing"])
    func reserved(name: String) { #expect(throws: SandboxRefusal.reservedName(name)) { try SandboxName.check(name) } }

    @Test("Only the snapshot of the seeds is hidden")
    func hidden() {
        #expect(SandboxName.isPublic("seed-1"))
        #expect(!SandboxName.isPublic(SandboxName.seedSnapshot))
    }
}
