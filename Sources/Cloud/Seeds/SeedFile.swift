import FoundationEssentials
package import Policy

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A seed document that could not be used: which file, where in it, and what was expected there.
package struct SeedError: Error, CustomStringConvertible {
    package var file: String
    /// `accounts[0].roles[1].trustPolicy`, or line and column where the document is no JSON5; empty for the whole document.
    package var place: String
    package var expected: String

    package var description: String {
        place.isEmpty ? "seed \(file): expected \(expected)" : "seed \(file), at \(place): expected \(expected)"
    }
}

/// The text of a seed and the name that faults in it are reported under.
package struct SeedFile: Sendable {
    package var name: String
    package var text: [UInt8]

    package init(name: String, text: [UInt8]) {
        self.name = name
        self.text = text
    }

    /// - Throws: `SeedError` when the file cannot be read.
    package init(path: String) throws {
        do {
            self.init(name: path, text: [UInt8](try Data(contentsOf: URL(filePath: path))))
        } catch {
            let cause = (error as? CocoaError)?.userInfo["NSUnderlyingError"] as? POSIXError
            let reason = cause.map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
            throw SeedError(file: path, place: "", expected: "a readable file (\(reason))")
        }
    }

    /// Decodes the whole document.
    /// - Parameter dialect: of its policies and accounts.
    /// - Throws: `SeedError`.
    package func decode(_ dialect: PolicyDialect = .aws) throws -> Seed {
        let decoder = JSONDecoder()
        if let key = PolicyDialect.userInfoKey { decoder.userInfo[key] = dialect }
        decoder.allowsJSON5 = true
        do {
            try JSON5Scanner.check(text)
        } catch {
            throw SeedError(file: name, place: "line \(error.line), column \(error.column)", expected: error.expected)
        }
        var seed: Seed
        do {
            seed = try decoder.decode(Seed.self, from: Data(text))
        } catch let error as DecodingError {
            throw SeedError(file: name, fault: error)
        }
        seed.file = name
        try Seed.check([seed])
        return seed
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

    private static func place(_ path: [any CodingKey]) -> String {
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
