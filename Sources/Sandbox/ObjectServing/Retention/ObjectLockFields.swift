import Calls
package import Cloud
package import HTTPTypes
package import ObjectStore
package import WireFormats

/// The headers that lock an object: as a write sent them, and as a response describes them. They differ only in their names and in how they
/// write times. (S3 API Reference, PutObject, `x-amz-object-lock-…`; OSS API Reference, PutObject, `x-oss-object-worm-…`.)
package struct ObjectLockFields: Equatable, Sendable {
    /// The headers of a service.
    package struct Names: Sendable {
        /// The name of the header with the mode of the retention.
        package let mode: HTTPField.Name
        /// The name of the header with the end of the retention.
        package let until: HTTPField.Name
        /// The name of the header with the legal hold.
        package let legalHold: HTTPField.Name
        /// Returns the text of a time.
        package let text: @Sendable (Timestamp) -> String

        package init(
            mode: HTTPField.Name, until: HTTPField.Name, legalHold: HTTPField.Name, text: @escaping @Sendable (Timestamp) -> String
        ) {
            self.mode = mode
            self.until = until
            self.legalHold = legalHold
            self.text = text
        }
    }

    /// `nil` if the request has none, like the others.
    package var mode: String?
    /// The end of the retention.
    package var until: String?
    /// `ON` or `OFF`, if the request is valid.
    package var legalHold: String?

    /// Reads the headers of a write.
    package init(_ headers: HTTPFields, named names: Names) {
        mode = headers.value(of: names.mode)
        until = headers.value(of: names.until)
        legalHold = headers.value(of: names.legalHold)
    }

    /// Whether the request has none of the headers.
    package var isEmpty: Bool { mode == nil && until == nil && legalHold == nil }
}

extension ObjectLock {
    /// Appends the headers that describe the lock.
    /// - Parameter clock: the clock of the sandbox, which moves the end of the retention as the sandbox ages.
    package func append(to fields: inout HTTPFields, named names: ObjectLockFields.Names, by clock: SandboxClock) {
        if let retention {
            fields.append(HTTPField(name: names.mode, value: retention.mode.name))
            fields.append(HTTPField(name: names.until, value: names.text(retention.end(by: clock))))
        }
        if let legalHold { fields.append(HTTPField(name: names.legalHold, value: legalHold ? "ON" : "OFF")) }
    }
}
