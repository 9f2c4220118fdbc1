import Cloud
import Policy
import WireFormats

/// The document of a DeleteMultipleObjects request.
///
/// Keys can contain any character, and clients send control characters directly or as character references. XML 1.0 allows neither, so only
/// this document is parsed without that restriction.
struct OSSDeleteRequest: Equatable {
    struct Object: Equatable {
        var key: String
        /// The version ID; not empty.
        var version: String?
    }

    /// 1 to 1,000 objects in the client's order.
    var objects: [Object] = []
    /// Whether the response has no body.
    var isQuiet = false

    private static let most = 1000

    /// Parses the document.
    /// - Throws: `MalformedXML`, `InvalidObjectName`, `InvalidArgument`.
    init(parsing bytes: [UInt8]) throws(OSSError) {
        guard let root = try? XMLElement(parsing: bytes, characters: .any), root.name == "Delete" else { throw OSSError(.malformedXML) }
        for member in try root.members() {
            switch member.name {
            case "Quiet":
                switch try member.value().lowercased() {
                case "true": isQuiet = true
                case "false": isQuiet = false
                default: throw OSSError(.malformedXML)
                }
            case "Object": objects.append(try Self.object(member))
            default: throw OSSError(.malformedXML)
            }
        }
        guard (1...Self.most).contains(objects.count) else { throw OSSError(.malformedXML) }
    }

    private static func object(_ element: XMLElement) throws(OSSError) -> Object {
        var key: String?
        var version: String?
        for member in try element.members() {
            switch member.name {
            case "Key": key = try member.value()
            case "VersionId":
                let text = try member.value()
                guard !text.isEmpty else { throw .emptyVersionID }
                version = text
            default: throw OSSError(.malformedXML)
            }
        }
        guard let key else { throw OSSError(.malformedXML, subcode: "0016-00000613") }
        try OSSObjectOperation.check(key)
        return Object(key: key, version: version)
    }
}

extension XMLElement {
    /// Returns the child elements; there must be only white space between them.
    fileprivate func members() throws(OSSError) -> [XMLElement] {
        guard text.trimmed.isEmpty else { throw OSSError(.malformedXML) }
        return children
    }

    /// Returns the text; there must be no child elements.
    fileprivate func value() throws(OSSError) -> String {
        guard children.isEmpty else { throw OSSError(.malformedXML) }
        return text
    }
}

extension OSSError {
    /// The error for an empty version ID. Clients omit the element for the current version. (OSS error code 0016-00000612.)
    fileprivate static var emptyVersionID: OSSError {
        OSSError(
            .invalidArgument, "Version id cannot be the empty string", ["ArgumentName": "versionId", "ArgumentValue": ""],
            subcode: "0016-00000612")
    }
}
