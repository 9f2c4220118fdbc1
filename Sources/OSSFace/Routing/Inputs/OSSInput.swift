import HTTPTypes
import WireFormats

/// The parts of a request that operations read, besides its address and its body.
struct OSSFields: Sendable {
    /// Decoded.
    let query: FormFields
    /// The header fields; of a form its fields in their place.
    let headers: HTTPFields
}

/// What one operation reads of a request, parsed and checked.
protocol OSSInput: Sendable {
    init(_ fields: OSSFields) throws(OSSError)
}

/// A part of an input that is judged later than the rest, or the refusal that the operation then returns.
typealias Parsed<Value> = Result<Value, OSSError>

extension OSSRequest {
    /// What the operation reads of the request. An operation takes it where OSS checks it, which for most is after the permission.
    /// - Throws: the refusal of the first part that is wrong.
    func input<Input: OSSInput>(_: Input.Type = Input.self) throws(OSSError) -> Input {
        try Input(fields)
    }

    var fields: OSSFields { OSSFields(query: query, headers: headers) }
}

extension OSSFields {
    /// Whether keys are to be percent-encoded in the answer.
    /// - Throws: `InvalidArgument`.
    func wantsURLEncoding(_ text: String?) throws(OSSError) -> Bool {
        switch text {
        case nil, "": return false
        case "url": return true
        case let other?: throw .invalidArgument("Invalid Encoding Method specified in Request.", name: "encoding-type", value: other)
        }
    }

    /// A number of the query.
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
