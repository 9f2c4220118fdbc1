import FoundationEssentials
package import WireFormats

extension ClientMetadata {
    /// An error: a member of a document does not have the type of its specification.
    package struct MalformedMember: Error {
        /// The name of the member.
        package var name: String
    }

    /// Reads the known members, and ignores all others (RFC 7591 section 2).
    /// - Throws: `MalformedMember`.
    package init(reading document: JSONObject) throws(MalformedMember) {
        var known = JSONObject()
        // A null is the same as an absent member (RFC 7592 section 2.2).
        for key in CodingKeys.allCases where document[key.rawValue] != .null { known[key.rawValue] = document[key.rawValue] }
        do {
            self = try JSONDecoder().decode(ClientMetadata.self, from: Data(JSONValue.object(known).serializedBytes()))
        } catch let error as DecodingError {
            throw MalformedMember(name: error.member)
        } catch {
            throw MalformedMember(name: "")
        }
    }

    /// The members that are present.
    package var json: JSONObject {
        get throws {
            let document = try JSONValue(parsing: Array(JSONEncoder().encode(self))).objectValue ?? [:]
            var ordered = JSONObject()
            for key in CodingKeys.allCases { ordered[key.rawValue] = document[key.rawValue] }
            return ordered
        }
    }
}

extension DecodingError {
    fileprivate var member: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.first?.stringValue ?? ""
        @unknown default: ""
        }
    }
}
