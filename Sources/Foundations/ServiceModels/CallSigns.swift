package import WireFormats

/// What of a request says which operation it calls.
package struct CallSigns: Sendable {
    /// The HTTP method.
    package var method: String
    /// The path as received, without the query.
    package var path: String
    /// The decoded query.
    package var query: FormFields
    /// The values of `X-Amz-Target`, one for each header.
    package var targets: [String]
    /// The value of `Content-Type`; empty if there is none.
    package var contentType: String
    /// The value of `smithy-protocol`; `nil` if there is none.
    package var smithyProtocol: String?
    /// The fields of a body that is a form; `nil` for other bodies.
    package var form: FormFields?
    /// Whether there is a body that is not a form.
    package var hasDocument: Bool

    package init(
        method: String, path: String, query: FormFields = [:], targets: [String] = [], contentType: String = "",
        smithyProtocol: String? = nil, form: FormFields? = nil, hasDocument: Bool = false
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.targets = targets
        self.contentType = contentType
        self.smithyProtocol = smithyProtocol
        self.form = form
        self.hasDocument = hasDocument
    }
}

/// An operation that a request calls.
package struct RecognizedOperation: Sendable {
    /// The operation.
    package var operation: OperationModel
    /// The protocol of the request.
    package var wireProtocol: ServiceProtocol
    /// The members in path and query; empty but for REST and for queues that are named by the path.
    package var labels: TextDictionary<String>
    /// The lists in the query of REST.
    package var repeated: TextDictionary<[String]> = [:]
    /// The path of REST in one spelling: each segment is decoded and encoded again. `nil` in other protocols.
    package var path: String?
}

/// Why no operation of a service was recognized.
package enum UnrecognizedCall: Error, Equatable, Sendable {
    /// The request has the form of no protocol of the service.
    case noProtocol
    /// The service has no such operation.
    /// - Parameter name: what the request calls it; `nil` in REST.
    case unknownOperation(_ name: String?)
    /// Two readers could read two operations.
    case ambiguous(String)
}
