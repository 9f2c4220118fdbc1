package import HTTPTypes
import WireFormats

/// What a request does with a document of a bucket. The raw value begins the name of the operation.
package enum DocumentVerb: String, Hashable, Sendable {
    case get = "Get"
    case put = "Put"
    case delete = "Delete"

    /// Creates the verb of a method; `nil` if documents do not have it.
    package init?(_ method: HTTPRequest.Method) {
        switch method {
        case .get: self = .get
        case .put: self = .put
        case .delete: self = .delete
        default: return nil
        }
    }
}
