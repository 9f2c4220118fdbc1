import Calls
import HTTPTypes
import ObjectServing
import WireFormats

/// What a request to read an object says in its query and header fields, parsed once. (S3 API Reference, GetObject and HeadObject.)
///
/// Values that can be wrong stay texts: S3 checks them after permission.
struct S3ReadInput: S3Input {
    /// The conditions, and the range or part.
    var selection: ReadInput
    /// Whether the request names a version.
    var namesVersion: Bool
    /// Whether the client asks for checksums.
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
