import Federation
import HTTPTypes
import WireFormats

/// The parts of a request that operations read, besides its address and its body.
struct S3Fields: Sendable {
    /// Decoded.
    let query: FormFields
    /// The header fields; of a presigned request also those in its query, and of a form its fields in their place.
    let headers: HTTPFields
    let dialect: Dialect
}

/// What one operation reads of a request, parsed and checked.
protocol S3Input: Sendable {
    init(_ fields: S3Fields) throws(S3Error)
}

/// A part of an input that is judged later than the rest, or the refusal that the operation then returns.
typealias Parsed<Value> = Result<Value, S3Error>

extension S3Request {
    /// What the operation reads of the request. An operation takes it where S3 checks it, which for most is after the permission.
    /// - Throws: the refusal of the first part that is wrong.
    func input<Input: S3Input>(_: Input.Type = Input.self) throws(S3Error) -> Input {
        try Input(S3Fields(query: query, headers: headers, dialect: dialect))
    }
}
