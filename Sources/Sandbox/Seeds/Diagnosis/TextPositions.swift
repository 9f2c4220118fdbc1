import WireFormats

/// Lines and columns of a text, counted from 1. A lookup does not scan the text from its start.
///
/// Lines end with a line feed, a carriage return, or both. Columns are counted in Unicode characters.
struct TextPositions {
    private static let stride = 1024

    private let bytes: [UInt8]
    private var lineStarts: [Int]
    /// The number of characters that start before each multiple of `stride`.
    private var charactersBefore: [Int] = []

    init(of bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark does not count as a column.
        lineStarts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
        var characters = 0
        for index in bytes.indices {
            if index % Self.stride == 0 { charactersBefore.append(characters) }
            if startsCharacter(bytes[index]) { characters += 1 }
            let isCarriageReturn = bytes[index] == 0x0D
            if bytes[index] == 0x0A || isCarriageReturn && (index + 1 == bytes.count || bytes[index + 1] != 0x0A) {
                lineStarts.append(index + 1)
            }
        }
        charactersBefore.append(characters)
    }

    /// Returns the line and column of the byte at `index`, which may be the end of the text.
    subscript(index: Int) -> (line: Int, column: Int) {
        let index = min(index, bytes.count)
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= index { low = middle } else { high = middle }
        }
        return (low + 1, max(0, characters(before: index) - characters(before: lineStarts[low])) + 1)
    }

    private func characters(before index: Int) -> Int {
        let block = index / Self.stride
        guard block < charactersBefore.count else { return charactersBefore.last ?? 0 }
        let start = block * Self.stride
        // The last entry counts the whole text.
        guard start < bytes.count else { return charactersBefore[block] }
        return charactersBefore[block] + bytes[start..<index].count(where: startsCharacter)
    }
}

/// Returns whether a byte is the first one of a UTF-8 character.
private func startsCharacter(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }
