import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectStore
import WireFormats

extension Precondition {
    /// Parses the condition in `If-Match` or `If-None-Match`.
    /// (S3 User Guide, "How to prevent object overwrites with conditional writes".)
    ///
    /// AWS accepts only an ETag in `If-Match` and only the asterisk in `If-None-Match`.
    /// - Throws: `NotImplemented` for values that the dialect does not accept, and for both headers at once.
    init(write headers: HTTPFields, _ dialect: Dialect) throws(S3Error) {
        let ifMatch = headers.value(of: .ifMatch)
        let ifNoneMatch = headers.value(of: .ifNoneMatch)
        switch (ifMatch, ifNoneMatch) {
        case (nil, nil): self = .none
        case (nil, "*"): self = .ifNoneMatchAny
        case (nil, .some) where dialect == .aws: throw .unacceptableCondition("If-None-Match")
        case ("*", nil) where dialect == .aws: throw .unacceptableCondition("If-Match")
        // A malformed ETag matches no object, so the condition is always met.
        case (nil, let tag?): self = EntityTag(tag).map(Precondition.ifNoneMatch) ?? .none
        case (let tag?, nil): self = Precondition(ifMatch: tag)
        case (.some, .some):
            throw S3Error(
                .notImplemented, nil,
                [
                    "Header": "If-Match,If-None-Match",
                    "additionalMessage": "Multiple conditional request headers present in the request",
                ])
        }
    }

    /// Parses the value of `If-Match`.
    /// - Parameter text: an ETag, whose quotation marks S3 treats as optional (observed), or the asterisk for any object.
    init(ifMatch text: String) {
        let bare = text.drop { $0 == "\"" }
        self = text == "*" ? .ifMatchAny : .ifMatch(EntityTag(bare.hasSuffix("\"") ? bare.dropLast() : bare) ?? EntityTag(md5: []))
    }

    /// The header of the condition, as in error messages.
    var header: String {
        switch self {
        case .none, .ifMatch, .ifMatchAny: "If-Match"
        case .ifNoneMatch, .ifNoneMatchAny: "If-None-Match"
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
