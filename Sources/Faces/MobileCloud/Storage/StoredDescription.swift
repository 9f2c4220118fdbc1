import Calls
import Cloud
import HTTPTypes
import ObjectStore
import WireFormats

/// The name, creator and last modifier of a collection's object. They are stored as the object's metadata, which S3 shows.
struct StoredDescription: Hashable, Sendable {
    var name: String
    var createdBy: String
    /// The stored time, before aging.
    var createdOn: Timestamp
    var modifiedBy: String

    private static let nameField = "oracle-mobile-name"
    private static let createdByField = "oracle-mobile-created-by"
    private static let createdOnField = "oracle-mobile-created-on"
    private static let modifiedByField = "oracle-mobile-modified-by"

    init(name: String, createdBy: String, createdOn: Timestamp, modifiedBy: String) {
        self.name = name
        self.createdBy = createdBy
        self.createdOn = createdOn
        self.modifiedBy = modifiedBy
    }

    /// Reads the description of an object. An object written through S3 has its ID as the name and the bucket's owner as the creator.
    init(_ record: ObjectRecord, id: String) {
        func text(_ field: String) -> String? {
            record.attributes.metadata.first { $0.name.lowercased() == field }.flatMap { percentDecoded($0.value) }
        }
        name = text(Self.nameField) ?? id
        createdBy = text(Self.createdByField) ?? record.owner
        createdOn = text(Self.createdOnField).flatMap { Timestamp(iso8601: $0) } ?? record.modified
        modifiedBy = text(Self.modifiedByField) ?? record.owner
    }

    var metadata: [MetadataField] {
        [
            MetadataField(name: Self.nameField, value: encodedURI(name)),
            MetadataField(name: Self.createdByField, value: encodedURI(createdBy)),
            MetadataField(name: Self.createdOnField, value: createdOn.iso8601Milliseconds),
            MetadataField(name: Self.modifiedByField, value: encodedURI(modifiedBy)),
        ]
    }
}

/// An object in the Storage API.
struct StoredItem: Sendable {
    var id: String
    /// The user that the object belongs to, in a user-isolated collection.
    var user: String?
    /// Whether it is one of the caller's own objects.
    var isOwn: Bool
    var record: ObjectRecord
    var description: StoredDescription

    init(_ record: ObjectRecord, id: String, user: String?, isOwn: Bool) {
        self.id = id
        self.user = user
        self.isOwn = isOwn
        self.record = record
        description = StoredDescription(record, id: id)
    }

    var contentType: String { record.attributes.contentType ?? "application/octet-stream" }

    private func path(in collection: String) -> String {
        "\(Storage.collectionsPath)/\(percentEncoded(collection))/objects/\(percentEncoded(id))"
    }

    /// Returns the URL that identifies the object for every caller.
    func canonicalPath(in collection: String) -> String {
        path(in: collection) + (user.map { "?user=\(percentEncoded($0))" } ?? "")
    }

    /// Returns the URL that identifies the object for this caller.
    func ownPath(in collection: String) -> String { isOwn ? path(in: collection) : canonicalPath(in: collection) }

    func json(in collection: String, clock: SandboxClock) -> JSONObject {
        var json: JSONObject = ["id": .string(id), "name": .string(description.name)]
        if let user { json["user"] = .string(user) }
        json["contentLength"] = .integer(record.size)
        json["contentType"] = .string(contentType)
        json["eTag"] = .string(record.entityTag.quoted)
        json["createdBy"] = .string(description.createdBy)
        json["createdOn"] = .string(clock.effective(description.createdOn).iso8601)
        json["modifiedBy"] = .string(description.modifiedBy)
        json["modifiedOn"] = .string(clock.effective(record.modified).iso8601)
        json["links"] = [
            ["rel": "canonical", "href": .string(canonicalPath(in: collection))],
            ["rel": "self", "href": .string(ownPath(in: collection))],
        ]
        return json
    }

    /// Returns the headers that describe the object in a response with its content.
    func fields(in collection: String, clock: SandboxClock) -> HTTPFields {
        var fields: HTTPFields = [.contentType: contentType, .eTag: record.entityTag.quoted, .acceptRanges: "bytes"]
        if let encoding = record.attributes.contentEncoding { fields[.contentEncoding] = encoding }
        fields[.lastModified] = clock.effective(record.modified).httpDate
        fields[.displayName] = encodedURI(description.name)
        fields[.createdBy] = encodedURI(description.createdBy)
        fields[.createdOn] = clock.effective(description.createdOn).iso8601
        fields[.modifiedBy] = encodedURI(description.modifiedBy)
        fields[.modifiedOn] = clock.effective(record.modified).iso8601
        fields[.canonicalLink] = canonicalPath(in: collection)
        return fields
    }
}
