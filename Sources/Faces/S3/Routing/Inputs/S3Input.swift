import Federation
import HTTPTypes
import WireFormats

/// The parts of a request that operations read, besides its address and its body.
struct S3Fields: Sendable {
    /// The decoded query.
    let query: FormFields
    /// The header fields, including those in the query of a presigned request. The fields of a form replace them.
    let headers: HTTPFields
    let dialect: Dialect
}

/// The parameters of one operation, parsed from the request and checked.
protocol S3Input: Sendable {
    init(_ fields: S3Fields) throws(S3Error)
}

/// A parameter that the operation checks later than the others: its value, or the error to throw then.
typealias Parsed<Value> = Result<Value, S3Error>

extension S3Request {
    /// Returns the parameters of an operation. The operation calls this where S3 checks them, usually after the permission.
    /// - Throws: the error for the first invalid parameter.
    func input<Input: S3Input>(_: Input.Type = Input.self) throws(S3Error) -> Input {
        try Input(S3Fields(query: query, headers: headers, dialect: dialect))
    }
}
