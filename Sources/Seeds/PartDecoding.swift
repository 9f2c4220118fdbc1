import FoundationEssentials

extension Decodable {
    /// Decodes a part of a seed from a text that contains only this part.
    /// - Throws: `SeedError` with an empty file name.
    init(part text: [UInt8]) throws(SeedError) {
        let readable: [UInt8]
        do {
            readable = try JSON5Scanner.check(text)
        } catch {
            throw SeedError(file: "", place: "line \(error.line), column \(error.column)", expected: error.expected)
        }
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            self = try decoder.decode(Self.self, from: Data(readable))
        } catch let error as DecodingError {
            throw SeedError(file: "", fault: error)
        } catch {
            throw SeedError(file: "", place: "", expected: "an object in JSON5")
        }
    }
}
