package import Calls
package import HTTPTypes
import WireFormats

/// The conditions of a read, and the part of the object that it selects, as the client sent them.
package struct ReadInput: Sendable {
    /// `nil` for an unconditional read.
    package var conditions: ReadConditions?
    /// The header `Range`.
    package var range: String?
    /// The header `If-Range`; `nil` without a range.
    package var ifRange: String?
    /// The query parameter `partNumber`.
    package var partNumber: String?

    /// A read of the whole object without conditions.
    package init() {}

    /// Reads the header fields of a request for an object.
    package init(_ headers: HTTPFields, partNumber: String? = nil) {
        conditions = ReadConditions(headers).unlessEmpty
        range = headers.value(of: .range)
        ifRange = range == nil ? nil : headers.value(of: .ifRange)
        self.partNumber = partNumber
    }

    /// Reads the conditions on the source of a copy, which is read as a whole.
    package init(_ headers: HTTPFields, copySource names: ReadConditions.Names) {
        conditions = ReadConditions(headers, names).unlessEmpty
    }
}
