package import HTTPTypes
package import ObjectStore
package import WireFormats

/// The conditions of a request that reads an object, directly or as the source of a copy.
/// (RFC 9110 section 13; S3 API Reference, GetObject and CopyObject, on how the four headers combine.)
package struct ReadConditions: Equatable {
    /// The headers that state the conditions, and their spelling in errors.
    ///
    /// A class, because four names are sixteen words, which every read would copy.
    package final class Names: Sendable {
        let ifMatch: HTTPField.Name
        let ifNoneMatch: HTTPField.Name
        let ifModifiedSince: HTTPField.Name
        let ifUnmodifiedSince: HTTPField.Name
        /// The prefix of `If-Match` and the other headers in an error document.
        let prefix: String

        /// The conditions on the object itself. The headers for the source of a copy have a prefix.
        package static let read = Names(
            ifMatch: .ifMatch, ifNoneMatch: .ifNoneMatch, ifModifiedSince: .ifModifiedSince,
            ifUnmodifiedSince: .ifUnmodifiedSince, prefix: "")

        package init(
            ifMatch: HTTPField.Name, ifNoneMatch: HTTPField.Name, ifModifiedSince: HTTPField.Name,
            ifUnmodifiedSince: HTTPField.Name, prefix: String
        ) {
            self.ifMatch = ifMatch
            self.ifNoneMatch = ifNoneMatch
            self.ifModifiedSince = ifModifiedSince
            self.ifUnmodifiedSince = ifUnmodifiedSince
            self.prefix = prefix
        }
    }

    /// The result of evaluating the conditions.
    package enum Verdict: Equatable {
        case holds
        /// The client has the current object; `condition` names the header that decided.
        case notModified(condition: String)
        /// A condition failed; `condition` names its header.
        case failed(condition: String)
    }

    var ifMatch: String?
    var ifNoneMatch: String?
    /// `nil` if the header is absent or not a date.
    var ifModifiedSince: Timestamp?
    var ifUnmodifiedSince: Timestamp?
    private let prefix: String

    package init(_ headers: HTTPFields, _ names: Names = .read) {
        ifMatch = headers.value(of: names.ifMatch)
        ifNoneMatch = headers.value(of: names.ifNoneMatch)
        ifModifiedSince = headers.value(of: names.ifModifiedSince).flatMap { Timestamp(httpDate: $0) }
        ifUnmodifiedSince = headers.value(of: names.ifUnmodifiedSince).flatMap { Timestamp(httpDate: $0) }
        prefix = names.prefix
    }

    /// The same conditions; `nil` if there are none.
    package var unlessEmpty: ReadConditions? {
        ifMatch == nil && ifNoneMatch == nil && ifModifiedSince == nil && ifUnmodifiedSince == nil ? nil : self
    }

    /// The same conditions with their entity tags in lower case, as the store spells them.
    package var loweringTags: ReadConditions {
        guard ifMatch != nil || ifNoneMatch != nil else { return self }
        var conditions = self
        conditions.ifMatch = ifMatch?.lowercased()
        conditions.ifNoneMatch = ifNoneMatch?.lowercased()
        return conditions
    }

    /// Returns the value of `If-Range` with an entity tag in lower case; a date stays as it is.
    package static func loweringTag(ofIfRange text: String) -> String { Timestamp(httpDate: text) == nil ? text.lowercased() : text }

    /// Evaluates the conditions for an object.
    ///
    /// A matching `If-Match` overrides `If-Unmodified-Since`, and any `If-None-Match` overrides `If-Modified-Since`.
    /// An `If-Modified-Since` in the future is ignored. Dates are compared to the second.
    package func judge(_ tag: EntityTag, modified: Timestamp, now: Timestamp) -> Verdict {
        if ifMatch == nil, ifNoneMatch == nil, ifModifiedSince == nil, ifUnmodifiedSince == nil { return .holds }
        if let ifMatch {
            guard Self.matches(ifMatch, tag) else { return .failed(condition: prefix + "If-Match") }
        } else if let ifUnmodifiedSince, modified.seconds > ifUnmodifiedSince.seconds {
            return .failed(condition: prefix + "If-Unmodified-Since")
        }
        if let ifNoneMatch {
            guard !Self.matches(ifNoneMatch, tag) else { return .notModified(condition: prefix + "If-None-Match") }
        } else if let ifModifiedSince, ifModifiedSince <= now, modified.seconds <= ifModifiedSince.seconds {
            return .notModified(condition: prefix + "If-Modified-Since")
        }
        return .holds
    }

    /// Returns whether a list of tags, or `*`, contains a tag. Quotes may be missing, as in S3.
    package static func matches(_ list: String, _ tag: EntityTag) -> Bool {
        let text = tag.text
        return list.split(separator: ",").contains { item in
            var item = item.drop { $0 == " " }
            while item.last == " " { item.removeLast() }
            if item.hasPrefix("W/") { item = item.dropFirst(2) }
            return item == "*" || unquoted(item) == text
        }
    }
}

/// Returns whether `If-Range` allows the `Range` to apply. (RFC 9110 section 13.1.5.)
package func rangeApplies(ifRange: String?, to tag: EntityTag, modified: Timestamp) -> Bool {
    guard let ifRange else { return true }
    if let date = Timestamp(httpDate: ifRange) { return modified.seconds == date.seconds }
    return unquoted(ifRange) == tag.text
}
