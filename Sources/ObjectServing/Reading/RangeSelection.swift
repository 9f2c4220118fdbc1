import Calls
package import HTTPTypes
package import ObjectStore
package import WireFormats

/// What of an object's content a `Range` selects. (RFC 9110 section 14.2.)
package enum RangeSelection: Hashable, Sendable {
    case whole
    case part(Range<Int64>)
    /// Nothing of the object; with the header as it came.
    case unsatisfiable(String)

    /// How ranges are taken that do not fit the object.
    package enum Fit: Sendable {
        /// What is there of the range; a range without any is unsatisfiable.
        case standard
        /// A range that goes beyond the object is no range. (OSS API Reference, "GetObject", `x-oss-range-behavior`.)
        case wholeOrNothing
    }

    /// - Parameters:
    ///   - ifRange: `If-Range`, which leaves the range in force or not.
    ///   - modified: as the sandbox's age has it.
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
        self = range.resolved(size: record.size).map { .part($0) } ?? .unsatisfiable(header)
    }

    /// Nothing for the whole object.
    package var range: Range<Int64>? {
        guard case .part(let range) = self else { return nil }
        return range
    }
}

extension HTTPFields {
    /// Appends `Content-Length`, and `Content-Range` of a part.
    /// - Parameters:
    ///   - range: nothing for the whole object.
    ///   - size: of the whole object.
    package mutating func append(length range: Range<Int64>?, ofObjectOf size: Int64) {
        append(HTTPField(name: .contentLength, value: String(range.map { Int64($0.count) } ?? size)))
        guard let range, !range.isEmpty else { return }
        append(HTTPField(name: .contentRange, value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"))
    }
}
