import Calls
import HTTPTypes
import ObjectServing
import WireFormats

/// What GetObject and HeadObject read in query and headers. (S3 API Reference, "GetObject" and "HeadObject".)
///
/// Values that can be invalid stay texts, because S3 checks them after the permission.
struct S3ReadInput: S3Input {
    /// The conditions, and the range or part.
    var selection: ReadInput
    /// Whether the request names a version.
    var namesVersion: Bool
    /// Whether the client requests checksums.
    var showsChecksums: Bool
    /// The fields that replace header fields of the response, in order.
    var overrides: [(name: HTTPField.Name, parameter: String, value: String)] = []

    init(_ fields: S3Fields) {
        let (query, headers) = (fields.query, fields.headers)
        showsChecksums = headers.value(of: .checksumMode)?.uppercased() == "ENABLED"
        guard !query.fields.isEmpty else {
            selection = ReadInput(headers)
            namesVersion = false
            return
        }
        selection = ReadInput(headers, partNumber: query["partNumber"])
        namesVersion = query["versionId"] != nil
        for field in query.fields {
            if let name = Self.overridable[field.name] { overrides.append((name, field.name, field.value)) }
        }
    }

    private static let overridable: [String: HTTPField.Name] = [
        "response-content-type": .contentType, "response-content-language": .contentLanguage,
        "response-expires": .expires, "response-cache-control": .cacheControl,
        "response-content-disposition": .contentDisposition, "response-content-encoding": .contentEncoding,
    ]
}

/// What GetObjectAttributes reads. (S3 API Reference, "GetObjectAttributes".)
struct GetObjectAttributesInput: S3Input {
    var attributes: Set<ObjectAttribute>
    var limit: Int
    /// The number of the part that the page begins after.
    var marker: Int

    /// - Throws: `InvalidRequest`, `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        let headers = fields.headers
        attributes = try ObjectAttribute.asked(headers)
        // S3 ignores an invalid limit. (versity/versitygw#1806)
        limit = headers[.maxParts].flatMap { Int32(decimal: $0) }.flatMap { $0 < 0 ? nil : min(Int($0), 1000) } ?? 1000
        marker = try ListingParameters.partNumberMarker(headers[.partNumberMarker], name: "x-amz-part-number-marker")
    }
}

/// What SelectObjectContent reads in query and headers. (S3 API Reference, "SelectObjectContent".)
struct SelectObjectContentInput: S3Input {
    /// Whether the request has the header `Range`, which the operation does not accept.
    var hasRange: Bool

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        if let version = fields.query["versionId"] {
            throw .noVersionAccepted(version)
        }
        let type = fields.query["select-type"] ?? ""
        guard type == "2" else { throw .invalidArgument("The select-type must be 2", name: "select-type", value: type) }
        hasRange = fields.headers.contains(.range)
    }
}
