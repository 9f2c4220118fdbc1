import Cloud
import Directory
import Seeds
import Testing
import WireFormats

@testable import Federation

@Suite("Well-known keys")
struct WellKnownKeysTests {
    @Test(
        "are all keys of the seeds that Virga includes",
        arguments: ["alibaba", "credentials", "keycloak", "mobile-cloud", "personal-file-store", "vending-machine"])
    func seeds(name: String) async throws {
        let root = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        let cloud = try await Cloud.open(folder: nil, seeds: [try SeedFile(path: "/\(root)/seed/\(name).json5").decode()])
        let keys = cloud.directory.keys.values.map { holder in
            switch holder {
            case .root(_, let key), .user(_, let key): key
            }
        }
        #expect(!keys.isEmpty)
        for key in keys { #expect(WellKnownKeys.contains(key), "\(key.id)") }
        await cloud.close()
    }

    @Test(
        "can be guessed; other keys cannot",
        arguments: [
            ("test", "test", true), ("AKIAVIRGAOWN00000000", "minioadmin", true),
            ("a-long-name-of-a-key", "a-long-name-of-a-key", true),
            ("AKIAVIRGAOWN00000000", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", false),
        ])
    func guessable(id: String, secret: String, isWellKnown: Bool) {
        #expect(WellKnownKeys.contains(AccessKey(id: id, secret: secret)) == isWellKnown)
    }
}
