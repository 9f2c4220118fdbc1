import Cryptography
import Testing
import Tokens

@Suite("Sealing keys with earlier ones")
struct EarlierSealingKeysTests {
    private static func key(_ generation: UInt8, earlier: [SealingKey] = []) throws -> SealingKey {
        try SealingKey(key: randomBytes(32), generation: [generation], earlier: earlier)
    }

    @Test("open what those sealed, and seal with the newest")
    func opens() throws {
        let first = try Self.key(1)
        let second = try Self.key(2, earlier: [first])
        let third = try Self.key(3, earlier: [first, second])
        let texts = try [first, second, third].map { try SealedRecord.seal([7], key: $0) }
        for text in texts { #expect(try SealedRecord.open(text, key: third) == [7]) }
        #expect(try SealedRecord.open(texts[0], key: second) == [7])
        #expect(throws: SealedRecordError.notAuthentic) { try SealedRecord.open(texts[2], key: second) }
        #expect(throws: SealedRecordError.notAuthentic) { try SealedRecord.open(texts[1], key: first) }
    }

    @Test("open nothing of a sibling's epoch, though both have the same earlier key")
    func siblings() throws {
        let template = try Self.key(1)
        let (one, other) = (try Self.key(2, earlier: [template]), try Self.key(2, earlier: [template]))
        let text = try SealedRecord.seal([7], key: one)
        #expect(throws: SealedRecordError.notAuthentic) { try SealedRecord.open(text, key: other) }
    }

    @Test("take the context and the altered mark of the key into account")
    func marks() throws {
        let first = try Self.key(1)
        let second = try Self.key(2, earlier: [first])
        var bytes = try SealedRecord.sealedBytes([7], key: first, context: [1])
        #expect(throws: SealedRecordError.notAuthentic) { try SealedRecord.open(bytes, key: second, context: [2]) }
        // The mark of the newer key, with a record of the older one.
        bytes.replaceSubrange(1..<5, with: try SealedRecord.sealedBytes([7], key: second)[1..<5])
        #expect(throws: SealedRecordError.notAuthentic) { try SealedRecord.open(bytes, key: second, context: [1]) }
    }
}
