import Cryptography
import Directory
import FoundationEssentials
package import Policy
import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An error in a seed: the file, the position in it, and what was expected there.
package struct SeedError: Error, CustomStringConvertible {
    /// The name of the file.
    package var file: String
    /// The path, such as `accounts[0].roles[1].trustPolicy`. For a JSON5 syntax error, the line and column; for the whole document, empty.
    package var place: String
    /// A description of the expected value.
    package var expected: String
    /// The problem, if it is known more precisely than by the value that was found.
    var problem: String?
    /// The most likely intended word, if the found one is a typo.
    var suggestion: String?
    /// The line, from 1; `nil` if only the path is known.
    package var line: Int?
    /// The column in Unicode characters, from 1; `nil` if only the path is known.
    package var column: Int?

    package init(file: String, place: String, expected: String) {
        self.file = file
        self.place = place
        self.expected = expected
    }

    /// The problem and the expected value, without file and position.
    package var message: String {
        let wrong = problem.map { expected.isEmpty ? $0 : "\($0); " } ?? ""
        let right = expected.isEmpty ? "" : "expected \(expected)"
        return wrong + right + (suggestion.map { " (did you mean '\($0)'?)" } ?? "")
    }

    package var description: String {
        description(position: line.flatMap { line in column.map { ":\(line):\($0)" } }).visible
    }

    private func description(position: String?) -> String {
        if let position { return "\(file)\(position): error: \(place.isEmpty ? "" : "\(place): ")\(message)" }
        return place.isEmpty ? "seed \(file): expected \(expected)" : "seed \(file), at \(place): expected \(expected)"
    }
}

/// The text of a seed and its name in error messages.
package struct SeedFile: Sendable {
    /// The name in error messages.
    package var name: String
    /// The content.
    package var text: [UInt8]

    package init(name: String, text: [UInt8]) {
        self.name = name
        self.text = text
    }

    /// The most bytes of a file. A device may have no end.
    private static let longest = 256 << 20

    /// Reads a file, or a pipe such as that of `<(command)` until its end.
    /// - Throws: `SeedError` if it cannot be read.
    package init(path: String) throws(SeedError) {
        func failure() -> SeedError {
            SeedError(file: path, place: "", expected: "a readable file (\(String(cString: strerror(errno))))")
        }
        // Opening a named pipe would wait for a writer otherwise, maybe for ever. Without one, it is empty.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure() }
            if count == 0 { break }
            text += chunk[..<count]
            guard text.count <= Self.longest else {
                throw SeedError(file: path, place: "", expected: "a file of at most \(Self.longest >> 20) MiB")
            }
        }
        self.init(name: path, text: text)
    }

    /// Decodes the whole document.
    /// - Parameter dialect: the dialect of its policies and accounts.
    /// - Throws: `SeedError`.
    package func decode(_ dialect: PolicyDialect = .aws) throws -> Seed {
        let seed = try decodeUnchecked(dialect)
        try Seed.check([seed])
        return seed
    }

    /// Decodes the document without checking its names.
    /// - Parameter scanned: the document as the scanner returned it; `nil` to scan it first.
    /// - Throws: `SeedError`.
    func decodeUnchecked(_ dialect: PolicyDialect, scanned: [UInt8]? = nil) throws -> Seed {
        let decoder = JSONDecoder()
        if let key = PolicyDialect.userInfoKey { decoder.userInfo[key] = dialect }
        if let key = PolicyFaultReport.userInfoKey, let collector = SeedFaultCollector.current {
            decoder.userInfo[key] = PolicyFaultReport { collector.add($0) }
        }
        let readable: [UInt8]
        do {
            readable = if let scanned { scanned } else { try JSON5Scanner.check(text) }
        } catch {
            throw SeedError(file: name, place: "line \(error.line), column \(error.column)", expected: error.expected)
        }
        // A realm of Keycloak stands for the seed that is made of it.
        let realm: RealmImport?
        do throws(RealmImport.Fault) {
            realm = try RealmImport.read(readable)
        } catch {
            throw SeedError(file: name, place: error.place, expected: error.expected)
        }
        let document = realm?.seed.serializedBytes() ?? readable
        decoder.allowsJSON5 = !document.isJSONWithZero
        var seed: Seed
        do {
            seed = try decoder.decode(Seed.self, from: Data(document))
        } catch let error as DecodingError {
            throw SeedError(file: name, fault: error)
        }
        seed.file = name
        seed.digest = SHA256.hash(text)
        seed.urls = Self.urls(in: document)
        seed.leftOut = realm?.leftOut ?? []
        return seed
    }

    /// Returns the URLs in the texts of a document. Each begins after a quotation mark.
    private static func urls(in document: [UInt8]) -> [String] {
        var urls: [String] = []
        var rest = document[...]
        while let quotation = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }) {
            rest = rest[(quotation + 1)...]
            guard rest.starts(with: "http://".utf8) || rest.starts(with: "https://".utf8) else { continue }
            urls.append(String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }, as: UTF8.self))
        }
        return urls
    }
}

extension SeedError {
    init(file: String, fault: DecodingError) {
        switch fault {
        case .keyNotFound(let key, let context):
            self.init(file: file, place: Self.place(context.codingPath + [key]), expected: "a value")
        case .typeMismatch(let type, let context):
            self.init(file: file, place: Self.place(context.codingPath), expected: Self.name(of: type))
        case .valueNotFound(let type, let context):
            self.init(file: file, place: Self.place(context.codingPath), expected: Self.name(of: type))
        case .dataCorrupted(let context):
            let expected = context.codingPath.isEmpty ? "a JSON5 document" : context.debugDescription
            self.init(file: file, place: Self.place(context.codingPath), expected: expected)
        @unknown default:
            self.init(file: file, place: "", expected: "a seed document (\(fault))")
        }
    }

    static func place(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { place, key in
            if let index = key.intValue {
                place += "[\(index)]"
            } else {
                place += (place.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Int.Type: "a whole number"
        case is Bool.Type: "true or false"
        case is [Any].Type: "a list"
        default: "\(type)".hasPrefix("Array") ? "a list" : "an object"
        }
    }
}
