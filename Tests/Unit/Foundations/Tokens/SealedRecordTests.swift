import Cryptography
import Testing
import Tokens
import WireFormats

@Suite("Sealed records")
struct SealedRecordTests {
    private let key: SealingKey
    private let bytes: [UInt8]

    init() throws {
        bytes = try randomBytes(32)
        key = try SealingKey(key: bytes, generation: [0, 0, 0, 1])
    }

    @Test("Opens what it sealed", arguments: [0, 1, 400, 20_000])
    func roundTrip(count: Int) throws {
        let record = [UInt8](repeating: 7, count: count)
        let text = try SealedRecord.seal(record, key: key, context: Array("session".utf8))
        #expect(try SealedRecord.open(text, key: key, context: Array("session".utf8)) == record)
        #expect(try SealedRecord.seal(record, key: key, context: Array("session".utf8)) != text)
    }

    @Test("Cannot be opened with another key, generation or context")
    func otherKeys() throws {
        let text = try SealedRecord.seal([1, 2, 3], key: key, context: [5])
        let laterGeneration = try SealingKey(key: bytes, generation: [0, 0, 0, 2])
        let shifted = try SealingKey(key: bytes, generation: [0, 0, 0])
        let otherKey = try SealingKey(key: randomBytes(32), generation: [0, 0, 0, 1])
        #expect(throws: SealedRecordError.notAuthentic) { try SealedRecord.open(text, key: laterGeneration, context: [5]) }
        #expect(throws: SealedRecordError.notAuthentic) { try SealedRecord.open(text, key: shifted, context: [1, 5]) }
        #expect(throws: SealedRecordError.notAuthentic) { try SealedRecord.open(text, key: otherKey, context: [5]) }
        #expect(throws: SealedRecordError.notAuthentic) { try SealedRecord.open(text, key: key) }
    }

    @Test("Refuses every flipped bit and every shortened text")
    func tampering() throws {
        let text = try SealedRecord.seal(Array("record".utf8), key: key)
        let sealed = try #require([UInt8](base64: text))
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 0x80
            #expect(throws: SealedRecordError.self) { try SealedRecord.open(changed.base64, key: key) }
            #expect(throws: SealedRecordError.self) { try SealedRecord.open(Array(sealed[..<index]).base64, key: key) }
        }
    }

    @Test("Refuses texts that are no record", arguments: ["", "AQ", "AQ==", "not base64", "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="])
    func malformed(text: String) {
        #expect(throws: SealedRecordError.malformed) { try SealedRecord.open(text, key: key) }
    }

    @Test("Accepts keys of 32 bytes and generations of at most 255")
    func keyLengths() {
        #expect(throws: CryptographyError.invalidKey) { try SealingKey(key: [1], generation: []) }
        #expect(throws: CryptographyError.invalidKey) {
            try SealingKey(key: bytes, generation: [UInt8](repeating: 0, count: 256))
        }
    }
}
