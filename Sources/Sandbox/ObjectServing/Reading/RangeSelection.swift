import Calls
package import HTTPTypes
package import ObjectStore
package import WireFormats

/// The part of an object that a `Range` header selects. (RFC 9110 section 14.2.)
package enum RangeSelection: Hashable, Sendable {
    case whole
    case part(Range<Int64>)
    /// The range contains no byte of the object; the value is the header as sent.
    case unsatisfiable(String)

    /// The handling of ranges that extend beyond the object.
    package enum Fit: Sendable {
        /// The existing part of the range is selected; without one the range is unsatisfiable.
        case standard
        /// The range is ignored. (OSS API Reference, "GetObject", `x-oss-range-behavior`.)
        case wholeOrNothing
    }

    /// Evaluates the headers of a request.
    /// - Parameters:
    ///   - ifRange: the `If-Range` header, which can disable the range.
    ///   - modified: the modification time, including the aging of the sandbox.
    package init(
        _ header: String?, ifRange: String?, of record: ObjectRecord, modified: Timestamp, _ fit: Fit = .standard
    ) {
        guard let header, let range = ByteRange(header: header),
            rangeApplies(ifRange: ifRange, to: record.entityTag, modified: modified)
        else {
            self = .whole
            return
        }
        if fit == .wholeOrNothing {
            switch range {
            case .from(_, let end?) where end >= record.size: self = .whole
            case .suffix(let count) where count > record.size: self = .whole
            default: self = range.resolved(size: record.size).map { .part($0) } ?? .whole
            }
            return
        }
        switch range.resolved(size: record.size) {
        case nil: self = .unsatisfiable(header)
        // A suffix of an empty object is all of it.
        case let part? where part.isEmpty: self = .whole
        case let part?: self = .part(part)
        }
    }

    /// The selected range; `nil` for the whole object.
    package var range: Range<Int64>? {
        guard case .part(let range) = self else { return nil }
        return range
    }
}

extension HTTPFields {
    /// Appends `Content-Length`, and for a range `Content-Range`.
    /// - Parameters:
    ///   - range: the range; `nil` for the whole object.
    ///   - size: the size of the whole object.
    package mutating func append(length range: Range<Int64>?, ofObjectOf size: Int64) {
        append(HTTPField(name: .contentLength, value: String(range.map { Int64($0.count) } ?? size)))
        guard let range, !range.isEmpty else { return }
        append(HTTPField(name: .contentRange, value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
    }
}
