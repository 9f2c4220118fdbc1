import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectStore

extension Precondition {
    /// The condition that a write states in `If-Match` or `If-None-Match`.
    /// (S3 User Guide, "How to prevent object overwrites with conditional writes".)
    ///
    /// AWS takes a tag in `If-Match` and the asterisk in `If-None-Match` alone.
    /// - Throws: `NotImplemented` for what the dialect does not take, and for both at once.
    init(write headers: HTTPFields, _ dialect: Dialect) throws(S3Error) {
        let ifMatch = headers.value(of: .ifMatch)
        let ifNoneMatch = headers.value(of: .ifNoneMatch)
        switch (ifMatch, ifNoneMatch) {
        case (nil, nil): self = .none
        case (nil, "*"): self = .ifNoneMatchAny
        case (nil, .some) where dialect == .aws: throw .unacceptableCondition("If-None-Match")
        case ("*", nil) where dialect == .aws: throw .unacceptableCondition("If-Match")
        // A text that no tag could be is the tag of no object.
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

    /// - Parameter text: an entity tag, of whose quotation marks S3 minds neither (observed of it), or the asterisk for any object.
    init(ifMatch text: String) {
        let bare = text.drop { $0 == "\"" }
        self = text == "*" ? .ifMatchAny : .ifMatch(EntityTag(bare.hasSuffix("\"") ? bare.dropLast() : bare) ?? EntityTag(md5: []))
    }

    /// The header that states the condition, as refusals spell it.
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
