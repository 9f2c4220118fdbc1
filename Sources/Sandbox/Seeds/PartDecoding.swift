import FoundationEssentials
import WireFormats

extension SeedRecord {
    /// Reads a record from a text that contains only this record, such as an administrator's request.
    /// - Throws: `SeedError` with an empty file name.
    package func read(_ text: [UInt8]) throws(SeedError) -> Value {
        var userInfo: [CodingUserInfoKey: any Sendable] = [:]
        if let key = recordKey { userInfo[key] = self }
        return try SeedPart<Value>(part: text, userInfo).value
    }
}

private let recordKey = CodingUserInfoKey(rawValue: "seedRecord")

/// The value of the record that the decoder's `userInfo` has.
private struct SeedPart<Value: Sendable>: Decodable {
    var value: Value

    init(from decoder: any Decoder) throws {
        guard let key = recordKey, let record = decoder.userInfo[key] as? SeedRecord<Value> else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a record"))
        }
        value = try record.decode(from: decoder)
    }
}

extension SeedPart {
    /// - Throws: `SeedError` with an empty file name.
    fileprivate init(part text: [UInt8], _ userInfo: [CodingUserInfoKey: any Sendable]) throws(SeedError) {
        let readable: [UInt8]
        do {
            readable = try JSON5Scanner.check(text)
        } catch {
            throw SeedError(file: "", place: "line \(error.line), column \(error.column)", expected: error.expected)
        }
        let decoder = JSONDecoder()
        decoder.userInfo = userInfo
        decoder.allowsJSON5 = !readable.isJSONWithZero
        do {
            self = try decoder.decode(Self.self, from: Data(readable))
        } catch let error as DecodingError {
            throw SeedError(file: "", fault: error)
        } catch {
            throw SeedError(file: "", place: "", expected: "an object in JSON5")
        }
    }
}

extension [UInt8] {
    /// Whether a document is JSON and may have a text with U+0000, which the decoder of the standard library refuses in JSON5 only. Every
    /// export is JSON, and clients can store such texts.
    var isJSONWithZero: Bool { contains(bytesOf: "\\u0000") && (try? JSONValue(parsing: self)) != nil }
}
