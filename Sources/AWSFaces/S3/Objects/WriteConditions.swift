import Cloud
import HTTPTypes

extension Precondition {
    /// The condition that a write states in `If-Match` or `If-None-Match`.
    /// (S3 User Guide, "How to prevent object overwrites with conditional writes".)
    /// - Throws: `NotImplemented` for both at once, for `If-None-Match` with anything but `*`, and for `If-Match: *`.
    init(write headers: HTTPFields) throws(S3Error) {
        let ifMatch = headers[.ifMatch]
        let ifNoneMatch = headers[.ifNoneMatch]
        switch (ifMatch, ifNoneMatch) {
        case (nil, nil): self = .none
        case (nil, "*"): self = .ifNoneMatchAny
        case (nil, .some): throw .unacceptableCondition("If-None-Match")
        case ("*", nil): throw .unacceptableCondition("If-Match")
        case (let tag?, nil): self = .ifMatch(EntityTag(tag) ?? EntityTag(md5: [], partCount: nil))
        case (.some, .some):
            throw S3Error(
                .notImplemented, nil,
                [
                    "Header": "If-Match,If-None-Match",
                    "additionalMessage": "Multiple conditional request headers present in the request",
                ])
        }
    }

    /// The header that states the condition, as refusals spell it.
    var header: String {
        switch self {
        case .none, .ifMatch, .ifMatchAny: "If-Match"
        case .ifNoneMatchAny: "If-None-Match"
        }
    }
}

extension S3Error {
    fileprivate static func unacceptableCondition(_ header: String) -> S3Error {
        S3Error(
            .notImplemented, nil,
            [
                "Header": header,
                "additionalMessage": "We don't accept the provided value of \(header) header for this API",
            ])
    }
}
