package import WireFormats

/// A document of the control API: a JSON object whose members are declared once, in `Members`. It is written, read and described by them.
///
/// A member is read as `entry.caller`, and a document is written as `Document<EntryMembers> { [$0.caller(arn), $0.status(200)] }`.
@dynamicMemberLookup
package struct Document<Members: DocumentMembers>: DocumentValue {
    /// The members in the order of the document, also those that are not declared.
    package let object: JSONObject

    /// Reads a document.
    package init(_ object: JSONObject) { self.object = object }

    /// Writes a document, with the members in this order.
    package init(_ members: (Members) -> [JSONObject]) {
        self.init(JSONObject(members(.all).flatMap { part in part.members.map { ($0.name, $0.value) } }))
    }

    package init() { self.init([:] as JSONObject) }
    package static func read(_ json: JSONValue) -> Self? { json.objectValue.map { Self($0) } }
    package var written: JSONValue? { json }

    /// The document as JSON.
    package var json: JSONValue { .object(object) }

    package static var schema: JSONValue {
        var properties: JSONObject = [:]
        var required: [String] = []
        for case let member as any AnyMember in Mirror(reflecting: Members.all).children.map(\.value) {
            if let name = member.name {
                properties[name] = member.isNullable ? Schemas.optional(member.schema()) : member.schema()
                if member.isRequired, !required.contains(name) { required.append(name) }
            } else {
                let included = member.schema()
                for (name, schema) in included["properties"]?.objectValue?.members ?? [] { properties[name] = schema }
                required += [String].read(included["required"] ?? []) ?? []
            }
        }
        return Schemas.object(properties, required: required)
    }

    /// Reads a member. A missing one, or one of another type, is blank: an empty text, 0, an empty list.
    package subscript<Value>(dynamicMember path: KeyPath<Members, Member<Value>>) -> Value {
        let member = Members.all[keyPath: path]
        guard let name = member.name else { return Value.read(json) ?? Value() }
        return object[name].flatMap { Value.read($0) } ?? Value()
    }
}

/// The members of a type of documents, each declared with its name and the type of its value.
package protocol DocumentMembers: Sendable {
    /// All members. A later declaration replaces one of the same name.
    static var all: Self { get }
}

/// Members that are declared in this target, where the initializer of a structure need not be written down.
protocol DeclaredMembers: DocumentMembers {
    init()
}

extension DeclaredMembers {
    /// All members.
    package static var all: Self { Self() }
}

/// A member of a document: its name and schema, and the type of its value.
package struct Member<Value: DocumentValue>: AnyMember {
    /// `nil` for all members of another type of documents.
    let name: String?
    /// Makes the schema, which only the OpenAPI document needs.
    var schema: @Sendable () -> JSONValue = { Value.schema }
    var isRequired = true
    var isNullable = false

    /// Returns the member with a value, for a new document.
    package func callAsFunction(_ value: Value) -> JSONObject {
        guard let name else { return value.written?.objectValue ?? [:] }
        if let json = value.written { return [name: json] }
        return isRequired ? [name: .null] : [:]
    }

    /// Returns the member with a count, for a new document.
    package func callAsFunction(_ count: Int) -> JSONObject where Value == Int64 { self(Int64(count)) }

    /// The member, which can be `null`.
    var orNull: Member<Value?> { Member<Value?>(name: name, schema: schema, isNullable: true) }

    /// The member, which can be left out.
    var omitted: Member<Value?> { Member<Value?>(name: name, schema: schema, isRequired: false) }

    /// The member with another schema.
    func described(by schema: @autoclosure @escaping @Sendable () -> JSONValue) -> Self {
        Self(name: name, schema: schema, isRequired: isRequired, isNullable: isNullable)
    }
}

private protocol AnyMember: Sendable {
    var name: String? { get }
    var schema: @Sendable () -> JSONValue { get }
    var isRequired: Bool { get }
    var isNullable: Bool { get }
}
