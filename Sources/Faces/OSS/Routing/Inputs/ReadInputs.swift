import Calls
import HTTPTypes
import ObjectServing
import WireFormats

/// What GetObject and HeadObject read. (OSS API Reference, "GetObject" and "HeadObject".)
struct OSSReadInput: OSSInput {
    /// The conditions and the range.
    var selection: ReadInput
    /// `nil` if the request names none.
    var limit: TrafficLimit?
    /// The `response-…` parameters, which override headers of the response.
    var overrides: Parsed<[HTTPField.Name: String]>
    private var acceptEncoding: String?

    /// - Throws: `InvalidArgument` for a limit out of range.
    init(_ fields: OSSFields) throws(OSSError) {
        selection = ReadInput(fields.headers)
        limit = try fields.trafficLimit?.get()
        let query = fields.query
        overrides = Parsed { () throws(OSSError) in try Self.overrides(query) }
        acceptEncoding = fields.headers.value(of: .acceptEncoding)
    }

    /// Whether the client accepts a body that is compressed with gzip.
    var acceptsGzip: Bool {
        acceptEncoding?.lowercased().split(separator: ",").contains { item in
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
            return parts.first == "gzip" && !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        } ?? false
    }

    private static func overrides(_ query: FormFields) throws(OSSError) -> [HTTPField.Name: String] {
        var overrides: [HTTPField.Name: String] = [:]
        for field in query.fields where field.name.hasPrefix("response-") {
            guard let name = overridable[field.name] else { continue }
            guard HTTPField.isValidValue(field.value) else {
                throw .invalidArgument("The value is not a valid header value.", name: field.name, value: field.value)
            }
            overrides[name] = field.value
        }
        return overrides
    }

    private static let overridable: [String: HTTPField.Name] = [
        "response-content-type": .contentType, "response-content-language": .contentLanguage, "response-expires": .expires,
        "response-cache-control": .cacheControl, "response-content-disposition": .contentDisposition,
        "response-content-encoding": .contentEncoding,
    ]
}

/// What SelectObject reads in the headers.
struct SelectObjectInput: OSSInput {
    /// `nil` for the whole object, and for a text that is not a range.
    var range: ByteRange?

    init(_ fields: OSSFields) { range = fields.headers.value(of: .range).flatMap { ByteRange(header: $0) } }
}

/// The source of CopyObject and UploadPartCopy. (OSS API Reference, "CopyObject".)
struct CopySourceInput: OSSInput {
    var address: OSSCopySourceAddress
    /// The conditions on the source, which is read as a whole.
    var selection: ReadInput

    /// - Throws: `InvalidArgument`.
    init(_ fields: OSSFields) throws(OSSError) {
        address = try OSSCopySourceAddress(header: fields.headers.value(of: .ossCopySource) ?? "")
        selection = ReadInput(fields.headers, copySource: Self.conditions)
    }

    private static let conditions = ReadConditions.Names(
        ifMatch: .ossCopySourceIfMatch, ifNoneMatch: .ossCopySourceIfNoneMatch, ifModifiedSince: .ossCopySourceIfModifiedSince,
        ifUnmodifiedSince: .ossCopySourceIfUnmodifiedSince, prefix: "x-oss-copy-source-")
}

extension OSSFields {
    /// How a range that ends after the object is handled. (OSS API Reference, "GetObject", `x-oss-range-behavior`.)
    var rangeFit: RangeSelection.Fit {
        headers.value(of: .ossRangeBehavior)?.lowercased() == "standard" ? .standard : .wholeOrNothing
    }

    /// The bandwidth limit; `nil` if the request names none.
    var trafficLimit: Parsed<TrafficLimit>? {
        (headers.value(of: .ossTrafficLimit) ?? query["x-oss-traffic-limit"]).map { text in
            Parsed { () throws(OSSError) in try TrafficLimit(text) }
        }
    }
}
