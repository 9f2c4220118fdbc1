/// A recursive-descent parser over one contiguous buffer (RFC 8259). Every read compares `position` with `end` first.
struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let end: Int
    private var position = 0
    private let repeatedNames: RepeatedNames

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ repeatedNames: RepeatedNames) {
        self.bytes = bytes
        self.repeatedNames = repeatedNames
        end = bytes.count
    }

    static func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ repeatedNames: RepeatedNames) -> Result<JSONValue, JSONSyntaxError> {
        var parser = JSONParser(bytes, repeatedNames)
        do throws(JSONSyntaxError) {
            let value = try parser.value(depth: 0)
            parser.skipWhitespace()
            guard parser.position == parser.end else { throw parser.fault(.trailingBytes) }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    private func fault(_ reason: JSONSyntaxError.Reason, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(reason: reason, offset: offset ?? position)
    }

    /// The error for an unexpected byte, or for the end of the document.
    private var misfit: JSONSyntaxError { fault(position < end ? .unexpectedByte : .unexpectedEnd) }

    private mutating func skipWhitespace() {
        while position < end {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// Skips one byte if it is the next one. Returns whether it was.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        skipWhitespace()
        guard position < end else { throw fault(.unexpectedEnd) }
        switch bytes[position] {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw fault(.unexpectedByte)
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[index]) else { throw misfit }
        }
        return value
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
        guard depth <= JSONValue.deepestNesting else { throw fault(.tooDeep) }
        position += 1
        var elements: [JSONValue] = []
        skipWhitespace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value(depth: depth))
            skipWhitespace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw misfit }
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONObject {
        guard depth <= JSONValue.deepestNesting else { throw fault(.tooDeep) }
        position += 1
        var object = JSONObject()
        // A scan finds a repeated name fastest in objects of the usual size. For huge objects a dictionary avoids quadratic cost.
        // Not from the literal `[:]`, which makes a dictionary of a list.
        var places = TextDictionary<Int>()
        skipWhitespace()
        if take(UInt8(ascii: "}")) { return object }
        object.reserve()
        while true {
            skipWhitespace()
            let start = position
            guard position < end, bytes[position] == UInt8(ascii: "\"") else { throw misfit }
            let name = try string()
            let place: Int?
            if object.count < 24 {
                place = object.place(of: name)
            } else {
                if places.isEmpty { for (place, name) in object.names.enumerated() { places[name] = place } }
                place = places[name]
                if place == nil { places[name] = object.count }
            }
            if place != nil, repeatedNames == .refused { throw fault(.duplicateName, at: start) }
            skipWhitespace()
            guard take(UInt8(ascii: ":")) else { throw misfit }
            let value = try value(depth: depth)
            if let place { object.replace(at: place, by: value) } else { object.append(unique: name, value) }
            skipWhitespace()
            if take(UInt8(ascii: "}")) { return object }
            guard take(UInt8(ascii: ",")) else { throw misfit }
        }
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        let isNegative = take(UInt8(ascii: "-"))
        // Accumulated as a negative number, because the least Int64 has no positive counterpart.
        var negated: Int64 = 0
        var fits = true
        let firstDigit = position
        while position < end, case let digit = bytes[position] &- UInt8(ascii: "0"), digit <= 9 {
            let (tenfold, overflow) = negated.multipliedReportingOverflow(by: 10)
            let (sum, borrow) = tenfold.subtractingReportingOverflow(Int64(digit))
            if overflow || borrow { fits = false }
            negated = sum
            position += 1
        }
        let digits = position - firstDigit
        guard digits > 0 else { throw position < end ? fault(.invalidNumber) : fault(.unexpectedEnd) }
        guard digits == 1 || bytes[firstDigit] != UInt8(ascii: "0") else { throw fault(.invalidNumber, at: firstDigit) }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try skipDigits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            try skipDigits()
        }
        if isWhole, fits, isNegative || negated != Int64.min { return .integer(isNegative ? negated : -negated) }
        guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else { throw fault(.invalidNumber, at: start) }
        guard number.isFinite else { throw fault(.numberOutOfRange, at: start) }
        return .number(number)
    }

    private mutating func skipDigits() throws(JSONSyntaxError) {
        let start = position
        while position < end, bytes[position] &- UInt8(ascii: "0") <= 9 { position += 1 }
        guard position > start else { throw fault(position < end ? .invalidNumber : .unexpectedEnd) }
    }

    /// Parses a string that starts at its opening quotation mark. A string without escapes, the usual case, is copied in one step.
    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let text = try text(bytes[start..<position])
                position += 1
                return text
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw fault(.controlCharacter)
            default: position += 1
            }
        }
        throw fault(.unexpectedEnd)
    }

    private func text(_ slice: Slice<UnsafeBufferPointer<UInt8>>) throws(JSONSyntaxError) -> String {
        do {
            return String(copying: try UTF8Span(validating: UnsafeBufferPointer(rebasing: slice).span))
        } catch {
            throw fault(.invalidUTF8, at: slice.startIndex)
        }
    }

    /// Parses the rest of a string whose first escape is at `position`.
    private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var text = ""
        var plain = start
        while position < end {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                text += try self.text(bytes[plain..<position])
                position += 1
                return text
            case UInt8(ascii: "\\"):
                text += try self.text(bytes[plain..<position])
                text.unicodeScalars.append(try escape())
                plain = position
            case 0..<0x20: throw fault(.controlCharacter)
            default: position += 1
            }
        }
        throw fault(.unexpectedEnd)
    }

    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = position
        position += 1
        guard position < end else { throw fault(.unexpectedEnd) }
        let kind = bytes[position]
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(kind)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            var code = UInt32(try fourHexDigits(of: start))
            if code & 0xFC00 == 0xD800, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
                let low = UInt32(try fourHexDigits(of: start))
                guard low & 0xFC00 == 0xDC00 else { throw fault(.invalidEscape, at: start) }
                code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
            }
            guard let scalar = Unicode.Scalar(code) else { throw fault(.invalidEscape, at: start) }
            return scalar
        default: throw fault(.invalidEscape, at: start)
        }
    }

    private mutating func fourHexDigits(of start: Int) throws(JSONSyntaxError) -> UInt16 {
        var code: UInt16 = 0
        for _ in 0..<4 {
            guard position < end else { throw fault(.unexpectedEnd) }
            let byte = bytes[position]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw fault(.invalidEscape, at: start)
            }
            code = code << 4 | UInt16(digit)
            position += 1
        }
        return code
    }
}
