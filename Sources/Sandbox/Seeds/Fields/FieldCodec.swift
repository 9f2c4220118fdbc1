import WireFormats

/// How the values of a field are read from seeds, with their rule, how they are written, and their shape.
struct FieldCodec<Value: Sendable>: Sendable {
    private let makeShape: @Sendable () -> SeedShape
    /// What is expected where a required value is missing; `nil` if it can only be called a value.
    let expected: String?
    /// Returns the value of a key; `nil` if the key is absent, or if its fault was collected.
    let read: @Sendable (SeedMembers, FieldName) throws -> Value?
    let write: @Sendable (Value) throws -> JSONValue

    /// - Parameter shape: the shape, which only the JSON Schema needs.
    init(
        shape: @autoclosure @escaping @Sendable () -> SeedShape, expected: String?,
        read: @escaping @Sendable (SeedMembers, FieldName) throws -> Value?, write: @escaping @Sendable (Value) throws -> JSONValue
    ) {
        makeShape = shape
        self.expected = expected
        self.read = read
        self.write = write
    }

    var shape: SeedShape { makeShape() }
}

/// The codecs of fields.
enum Codec {
    /// Values that are decoded by their type.
    static func plain<Value: Decodable & Sendable>(
        _ shape: SeedShape, write: @escaping @Sendable (Value) throws -> JSONValue
    ) -> FieldCodec<Value> {
        FieldCodec(
            shape: shape, expected: nil,
            read: { members, key in
                let value: Value? = try members.decode(ifThere: key)
                return value
            }, write: write)
    }

    /// Any string.
    static let text: FieldCodec<String> = plain(.text) { JSONValue.string($0) }

    /// True or false.
    static let flag: FieldCodec<Bool> = plain(.flag) { JSONValue.bool($0) }

    /// A list of any strings.
    static let texts: FieldCodec<[String]> = elements(.text, read: { try String(from: $0) }, write: { JSONValue.string($0) })

    /// Any JSON object.
    static let object: FieldCodec<JSONObject> = plain(.map(.anything)) { JSONValue.object($0) }

    /// Lists of strings that are not empty.
    static func someTexts(_ expected: String) -> FieldCodec<[String]> {
        checked(.list(.text, atLeast: 1), expecting: expected) {
            !$0.isEmpty
        } write: {
            JSONValue.array($0.map { JSONValue.string($0) })
        }
    }

    /// Strings that obey a rule.
    static func form(
        _ shape: SeedShape, expecting expected: String, where holds: @escaping @Sendable (String) -> Bool
    ) -> FieldCodec<String> {
        checked(shape, expecting: expected, where: holds, write: { JSONValue.string($0) })
    }

    /// Strings that are not empty.
    static func nonempty(_ expected: String) -> FieldCodec<String> { form(.nonempty, expecting: expected) { !$0.isEmpty } }

    /// Values that are decoded by their type and obey a rule.
    static func checked<Value: Decodable & Sendable>(
        _ shape: SeedShape, expecting expected: String, where holds: @escaping @Sendable (Value) -> Bool,
        write: @escaping @Sendable (Value) throws -> JSONValue
    ) -> FieldCodec<Value> {
        FieldCodec(
            shape: shape, expected: expected,
            read: { members, key in
                let value: Value? = try members.decode(ifThere: key)
                if let value, !holds(value) { try members.refuse(key, expecting: expected) }
                return value
            }, write: write)
    }

    /// Whole numbers of a range.
    /// - Parameter unit: what is counted.
    static func integer(_ range: ClosedRange<Int>, _ unit: String) -> FieldCodec<Int> {
        checked(.integer(range), expecting: "\(unit) from \(range.lowerBound) to \(range.upperBound)") {
            range.contains($0)
        } write: {
            JSONValue.integer(Int64($0))
        }
    }

    /// Values that strings stand for.
    /// - Parameter make: returns the value of a string; `nil` if it has none.
    static func named<Value: Sendable>(
        _ shape: @autoclosure @escaping @Sendable () -> SeedShape, expecting expected: String, make: @escaping @Sendable (String) -> Value?,
        text: @escaping @Sendable (Value) -> String
    ) -> FieldCodec<Value> {
        FieldCodec(
            shape: shape(), expected: expected,
            read: { members, key in try members.decode(key, named: make, expecting: expected) },
            write: { JSONValue.string(text($0)) })
    }

    /// The cases of an enumeration, by their raw values.
    /// - Parameter expected: what is expected; by default a list of the cases.
    static func word<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ type: Value.Type, expecting expected: String? = nil
    ) -> FieldCodec<Value> {
        let words = type.allCases.map(\.rawValue)
        return named(
            .words(words), expecting: expected ?? "one of \(words.joined(separator: ", "))", make: { Value(rawValue: $0) },
            text: { $0.rawValue })
    }

    /// Objects with fields.
    /// - Parameter record: the record, which is made when the first seed has the field.
    static func record<Value: Sendable>(_ record: @autoclosure @escaping @Sendable () -> SeedRecord<Value>) -> FieldCodec<Value> {
        FieldCodec(
            shape: record().shape, expected: nil,
            read: { members, key in try members.decode(ifThere: key) { try record().decode(from: $0) } },
            write: { JSONValue.object(try record().json(of: $0)) })
    }

    /// Lists of objects with fields. When faults are collected, faulty elements are omitted.
    /// - Parameter record: the record, which is made when the first seed has the field.
    static func list<Value: Sendable>(_ record: @autoclosure @escaping @Sendable () -> SeedRecord<Value>) -> FieldCodec<[Value]> {
        elements(record().shape, read: { try record().decode(from: $0) }, write: { JSONValue.object(try record().json(of: $0)) })
    }

    /// Lists of values. When faults are collected, faulty elements are omitted.
    /// - Parameter read: reads an element.
    static func elements<Value: Sendable>(
        _ element: @autoclosure @escaping @Sendable () -> SeedShape, read: @escaping @Sendable (any Decoder) throws -> Value,
        write: @escaping @Sendable (Value) throws -> JSONValue
    ) -> FieldCodec<[Value]> {
        FieldCodec(
            shape: .list(element()), expected: nil, read: { members, key in try members.decodeList(key, of: read) },
            write: { JSONValue.array(try $0.map(write)) })
    }
}
