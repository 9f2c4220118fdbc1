package import ObjectStore
import WireFormats

/// An object of a bucket in a seed.
package struct SeedObject: Sendable {
    /// The key.
    package var key: String
    /// The content.
    package var body: [UInt8]
    /// The value of the `Content-Type` header.
    package var contentType: String?
    /// The user metadata.
    package var metadata: [MetadataField]

    package init(key: String, body: [UInt8], contentType: String? = nil, metadata: [MetadataField] = []) {
        self.key = key
        self.body = body
        self.contentType = contentType
        self.metadata = metadata
    }

    /// Objects of S3 in seeds.
    static let record = SeedRecord<SeedObject>("Object", blank: SeedObject(key: "", body: []), fields: fields) { object, members in
        try object.finish(members)
    }

    /// Objects whose keys OSS accepts. (OSS User Guide, "Object naming conventions".)
    static let ossRecord = SeedRecord<SeedObject>("Object", blank: SeedObject(key: "", body: []), fields: fields) { object, members in
        try object.finish(members)
        let first = object.key.utf8.first
        guard object.key.utf8.count <= 1023, first != UInt8(ascii: "/"), first != UInt8(ascii: "\\") else {
            throw members.fault("key", expecting: "an object key of 1 to 1023 bytes that begins with no slash or backslash")
        }
    }

    private static let fields: [SeedField<SeedObject>] = [
        .required("key", \.key, keyCodec, "The object key."),
        .optional("text", \.text, Codec.text, "The body as text."),
        .optional("base64", \.bytes, base64Codec, "The body in base 64, in place of text."),
        .optional("contentType", \.contentType, Codec.text, "The Content-Type."),
        .defaulted("metadata", \.metadata, metadataCodec, "User metadata."),
    ]

    private static let keyCodec = Codec.form(.nonempty, expecting: "an object key of 1 to 1024 bytes") {
        (1...1024).contains($0.utf8.count)
    }

    private static let base64Codec: FieldCodec<[UInt8]> = Codec.named(
        .text, expecting: "base 64 text", make: { [UInt8](base64: $0) }, text: { $0.base64 })

    private static let metadataCodec = FieldCodec<[MetadataField]>(
        shape: .map(.text), expected: nil,
        read: { members, key in
            let fields: [String: String]? = try members.decode(ifThere: key)
            return fields.map { fields in fields.sorted { $0.key < $1.key }.map { MetadataField(name: $0.key, value: $0.value) } }
        },
        write: { fields in JSONValue.object(JSONObject(fields.map { ($0.name, JSONValue.string($0.value)) })) })

    /// The body, if it is a text.
    private var text: String? {
        get { body.contains(0) ? nil : String(validating: body, as: UTF8.self) }
        set { if let newValue { body = Array(newValue.utf8) } }
    }

    /// The body, if it is no text.
    private var bytes: [UInt8]? {
        get { text == nil ? body : nil }
        set { if let newValue { body = newValue } }
    }

    private func finish(_ members: SeedMembers) throws {
        if members.has("base64") {
            if members.has("text") { throw members.fault("text", expecting: "either text or base64, not both") }
        } else if !members.has("text") {
            try members.reportMissing(FieldName("text"), expecting: "the object's text, or base64")
        }
    }
}
