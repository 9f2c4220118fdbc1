import WireFormats

/// A column of a table of the Database APIs. (REST API for Oracle Mobile Cloud Service, "Database Management".)
package struct MobileColumn: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The type; `nil` until a row has a value.
    package private(set) var type: Kind?
    /// The maximum number of characters of a text or digits of a number; `nil` if it is not defined.
    package private(set) var size: Int?
    /// The number of decimal places of a decimal.
    package private(set) var subSize: Int?

    /// The types of column.
    package enum Kind: String, Sendable, CaseIterable {
        case string, integer, decimal, boolean, dateTime

        /// The maximum size; `nil` for types without a size.
        package var greatestSize: Int? {
            switch self {
            case .string: MobileColumn.longestText
            case .integer, .decimal: 38
            case .boolean, .dateTime: nil
            }
        }
    }

    /// The maximum length of a text, in characters.
    static let longestText = 4000

    /// Creates a column without a type, which the rows determine.
    init(name: String) { self.name = name }

    /// Creates a column from the definition of a table.
    /// - Throws: ``MobileTableError/badDefinition(_:)``
    package init(name: String, type: Kind, size: Int?, subSize: Int?) throws(MobileTableError) {
        if let size {
            guard let greatest = type.greatestSize else {
                throw .badDefinition("The column \(name) has a size, which columns of type \(type.rawValue) cannot have.")
            }
            guard (1...greatest).contains(size) else {
                throw .badDefinition("The size of the column \(name) must be from 1 to \(greatest).")
            }
        }
        if let subSize {
            guard type == .decimal, let size, (0...size).contains(subSize) else {
                throw .badDefinition("The subSize of the column \(name) must be from 0 to its size, for a decimal only.")
            }
        }
        self.name = name
        self.type = type
        self.size = size
        self.subSize = subSize
    }

    /// Checks that the column can store a value, and enlarges it if this is allowed.
    /// - Parameter mayChange: whether the column can be enlarged for a larger value.
    mutating func accommodate(_ value: JSONValue, mayChange: Bool) throws(MobileTableError) {
        switch value {
        case .null: return
        case .bool: try become(.boolean, of: [.boolean])
        case .integer(let integer): try accommodate(integer, mayChange: mayChange)
        case .number(let number):
            if type == .integer {
                if let whole = Int64(exactly: number) { return try accommodate(whole, mayChange: mayChange) }
                guard mayChange else { throw otherType }
                (type, size) = (.decimal, nil)
            }
            try become(.decimal, of: [.decimal])
            try grow(to: Self.digits(number) + (subSize ?? 0), mayChange: mayChange, isTooMuch: "the number has too many digits")
        case .string(let text):
            if type == .dateTime {
                guard Timestamp(iso8601: text) != nil else { throw .badValue(column: name, "a time must be in ISO 8601 format") }
                return
            }
            let length = text.count
            guard length <= Self.longestText else { throw .badValue(column: name, "a text has at most \(Self.longestText) characters") }
            let isNew = type == nil
            try become(.string, of: [.string])
            if isNew { size = max(length, 1) }
            try grow(to: length, mayChange: mayChange, isTooMuch: "a text has at most \(size ?? length) characters")
        case .array, .object: throw .badValue(column: name, "a value must be a string, a number, a boolean or null")
        }
    }

    private mutating func accommodate(_ integer: Int64, mayChange: Bool) throws(MobileTableError) {
        let digits = String(integer.magnitude).utf8.count
        let isNew = type == nil
        try become(.integer, of: [.integer, .decimal])
        if isNew { size = digits }
        try grow(to: digits + (subSize ?? 0), mayChange: mayChange, isTooMuch: "the number has too many digits")
    }

    /// Returns the number of digits before the decimal point.
    private static func digits(_ number: Double) -> Int {
        let whole = number.magnitude
        guard whole >= 1 else { return 0 }
        var (digits, bound) = (1, 10.0)
        while whole >= bound { (digits, bound) = (digits + 1, bound * 10) }
        return digits
    }

    /// Sets the type of the column if it has none, and checks it otherwise.
    private mutating func become(_ type: Kind, of fitting: [Kind]) throws(MobileTableError) {
        guard let own = self.type else {
            self.type = type
            return
        }
        guard fitting.contains(own) else { throw otherType }
    }

    private mutating func grow(to needed: Int, mayChange: Bool, isTooMuch reason: String) throws(MobileTableError) {
        guard let size, needed > size else { return }
        guard mayChange, needed <= type?.greatestSize ?? 0 else { throw .badValue(column: name, reason) }
        self.size = needed
    }

    private var otherType: MobileTableError { .badValue(column: name, "the column holds values of type \(type?.rawValue ?? "")") }
}

extension MobileColumn {
    /// - Parameter json: null, an object, or only the type, as in earlier versions.
    init(name: String, json: JSONValue) {
        self.name = name
        let text = json.stringValue ?? json["type"]?.stringValue
        type = text == "number" ? .decimal : text.flatMap(Kind.init)
        size = json["size"]?.integerValue.map { Int($0) }
        subSize = json["subSize"]?.integerValue.map { Int($0) }
    }

    var json: JSONValue {
        guard let type else { return .null }
        var json: JSONObject = ["type": .string(type.rawValue)]
        if let size { json["size"] = .integer(Int64(size)) }
        if let subSize { json["subSize"] = .integer(Int64(subSize)) }
        return .object(json)
    }
}

/// An index of a table: a name for some of its columns. Queries do not use it.
package struct MobileIndex: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The names of its columns, in order.
    package var columns: [String]

    package init(name: String, columns: [String]) {
        self.name = name
        self.columns = columns
    }
}
