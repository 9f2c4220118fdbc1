import Testing
import WireFormats

@testable import Seeds

@Suite("Shipped seeds")
struct SeedRoundTripTests {
    @Test(
        "are the same after they are read, written and read again",
        arguments: ["alibaba", "keycloak", "mobile-cloud", "personal-file-store", "vending-machine"])
    func roundTrip(name: String) throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let seed = try SeedFile(path: "/\(root)/seed/\(name).json5").decode()
        let written = try Seed.record.json(of: seed)
        #expect(!written.isEmpty)
        let again = try SeedFile(name: name, text: JSONValue.object(written).serializedBytes()).decode()
        #expect(try Seed.record.json(of: again) == written)
    }
}
