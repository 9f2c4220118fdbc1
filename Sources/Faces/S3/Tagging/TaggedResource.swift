import Cloud
import Federation
import ObjectServing
import ObjectStore
import Policy
import WireFormats

/// The type of resource that has tags. (S3 User Guide, "Categorizing your storage using tags".)
enum TaggedResource {
    case bucket
    /// A bucket whose tags are in the CreateBucket request.
    case newBucket
    case object

    fileprivate var limit: Int {
        switch self {
        case .bucket, .newBucket: 50
        case .object: 10
        }
    }
}

extension [Tag] {
    private static let longestKey = 128
    private static let longestValue = 256

    /// Parses the document of PutObjectTagging and PutBucketTagging.
    /// - Throws: `MalformedXML`, `InvalidTag`, `BadRequest` for too many tags.
    init(tagging element: XMLElement, of resource: TaggedResource, _ dialect: Dialect) throws(S3Error) {
        try self.init(tagging: element)
        try check(of: resource, dialect)
        if resource == .object { sortByKey() }
    }

    /// Parses a `Tagging` document, and does not check its tags. A document without a tag set is valid and has no tags.
    /// - Throws: `MalformedXML`.
    init(tagging element: XMLElement) throws(S3Error) {
        guard element.children.isEmpty || DocumentSchema.holds(element, .members(DocumentSchema.tagging)) else {
            throw S3Error(.malformedXML)
        }
        self.init(tagSet: element.child("TagSet"))
    }

    /// Checks the tags of a document.
    /// - Throws: `InvalidTag`, `BadRequest` for too many tags.
    func check(of resource: TaggedResource, _ dialect: Dialect = .aws) throws(S3Error) {
        // Each tag is checked before their number. (scality/cloudserver#4451)
        var keys: Set<[UInt8]> = []
        for tag in self {
            guard keys.insert([UInt8](tag.key.utf8)).inserted || dialect == .ceph else {
                throw S3Error(.invalidTag, "Cannot provide multiple Tags with the same key", ["TagKey": tag.key])
            }
            try Self.check(tag, of: resource)
        }
        guard count > resource.limit else { return }
        switch resource {
        case .bucket, .newBucket: throw S3Error(.badRequest, "Bucket tag count cannot be greater than \(resource.limit)")
        case .object:
            throw S3Error(dialect == .ceph ? .invalidTag : .badRequest, "Object tags cannot be greater than \(resource.limit)")
        }
    }

    /// Parses `x-amz-tagging`, a URL query of keys and values.
    /// - Throws: `InvalidArgument`, `InvalidTag`, `BadRequest`.
    init(header text: String, _ dialect: Dialect) throws(S3Error) {
        guard let form = FormFields(parsing: text) else { throw Self.malformedHeader(text) }
        self = form.fields.map { Tag(key: $0.name, value: $0.value) }
        for (index, tag) in enumerated() {
            guard !tag.key.isEmpty, Self.isPlain(tag.key), Self.isPlain(tag.value),
                dialect == .ceph || !self[..<index].contains(where: { $0.key == tag.key })
            else { throw Self.malformedHeader(text) }
            try Self.check(tag, of: .object)
        }
        guard count <= TaggedResource.object.limit else {
            throw S3Error(.badRequest, "Object tags cannot be greater than \(TaggedResource.object.limit)")
        }
        sortByKey()
    }

    /// Sorts the tags by the bytes of their keys, which is the order in responses about objects.
    private mutating func sortByKey() { sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }

    private static func malformedHeader(_ text: String) -> S3Error {
        .invalidArgument(
            "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag name duplicates.",
            name: "x-amz-tagging", value: text)
    }

    private static func check(_ tag: Tag, of resource: TaggedResource) throws(S3Error) {
        if tag.key.hasPrefix("aws:") {
            switch resource {
            case .bucket: throw S3Error(.invalidTag, "System tags cannot be added/updated by requester", ["TagKey": tag.key])
            case .newBucket:
                throw S3Error(
                    .invalidTag,
                    "User-defined tag keys can't start with \"aws:\". This prefix is reserved for system tags. Remove \"aws:\" from your tag keys and try again."
                )
            case .object: throw S3Error(.invalidTag, "Your TagKey cannot be prefixed with aws:", ["TagKey": tag.key])
            }
        }
        guard !tag.key.isEmpty, tag.key.unicodeScalars.count <= longestKey, isPlain(tag.key) else {
            throw S3Error(.invalidTag, "The TagKey you have provided is invalid", ["TagKey": tag.key])
        }
        guard tag.value.unicodeScalars.count <= longestValue, isPlain(tag.value) else {
            throw S3Error(
                .invalidTag, "The TagValue you have provided is invalid", ["TagKey": tag.key, "TagValue": tag.value])
        }
    }

    /// Whether a text consists only of letters, digits and spaces of any script and `+ - = . _ : / @`.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", " ", "+", "-", "=", ".", "_", ":", "/", "@": true
            default:
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                    .letterNumber, .otherNumber, .spaceSeparator, .lineSeparator, .paragraphSeparator:
                    true
                default: false
                }
            }
        }
    }
}
