import Foundation
import Testing

/// The inputs that libFuzzer found, without libFuzzer.
struct CorpusTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "corpus")

    private static func files(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }

    @Test("A parser survives every input of its corpus", arguments: targets.keys.sorted())
    func replay(name: String) throws {
        let target = try #require(targets[name])
        let files = try Self.files(in: Self.corpus.appending(path: name))
        #expect(!files.isEmpty)
        for file in files { target(Array(try Data(contentsOf: file))) }
    }

    @Test("Every folder of the corpus belongs to a parser")
    func folders() throws {
        #expect(try Set(Self.files(in: Self.corpus).map(\.lastPathComponent)) == Set(targets.keys))
    }
}
