import HTTPTypes
import WireFormats

/// The parts of a request that operations read, besides its address and its body.
struct OSSFields: Sendable {
    /// The decoded query.
    let query: FormFields
    /// The header fields. The fields of a form replace them.
    let headers: HTTPFields
}

/// The parameters of one operation, parsed from the request and checked.
protocol OSSInput: Sendable {
    init(_ fields: OSSFields) throws(OSSError)
}

/// A parameter that the operation checks later than the others: its value, or the error to throw then.
typealias Parsed<Value> = Result<Value, OSSError>

extension OSSRequest {
    /// Returns the parameters of an operation. The operation calls this where OSS checks them, usually after the permission.
    /// - Throws: the error for the first invalid parameter.
    func input<Input: OSSInput>(_: Input.Type = Input.self) throws(OSSError) -> Input {
        try Input(fields)
    }

    var fields: OSSFields { OSSFields(query: query, headers: headers) }
}

extension OSSFields {
    /// Whether keys are percent-encoded in the response.
    /// - Throws: `InvalidArgument`.
    func wantsURLEncoding(_ text: String?) throws(OSSError) -> Bool {
        switch text {
        case nil, "": return false
        case "url": return true
        case let other?: throw .invalidArgument("Invalid Encoding Method specified in Request.", name: "encoding-type", value: other)
        }
    }

    /// Returns an integer parameter of the query.
    /// - Throws: `InvalidArgument`.
    func number(_ name: String, in range: ClosedRange<Int>, otherwise: Int) throws(OSSError) -> Int {
        guard let text = query.value(name) else { return otherwise }
        guard let number = Int(digits: text), range.contains(number) else {
            throw .invalidArgument(
                "Argument \(name) must be an integer between \(range.lowerBound) and \(range.upperBound).", name: name, value: text)
        }
        return number
    }
}
