import Calls
package import HTTPTypes
import WireFormats

/// The CORS headers of a preflight request or of an actual cross-origin request.
/// (Fetch Standard, "CORS protocol"; S3 User Guide, "Using cross-origin resource sharing".)
package struct CORSQuestion: Hashable, Sendable {
    /// The `Origin` header.
    package var origin: String
    /// The requested method. S3 accepts `Access-Control-Request-Method` in any request.
    package var method: String
    /// Whether ``method`` is from `Access-Control-Request-Method` instead of being the request's own.
    package var namesMethod: Bool
    /// The requested headers, in lowercase and in order.
    package var headers: [String]

    /// Parses the headers of a request.
    /// - Returns: `nil` for a request without an origin.
    package init?(_ method: HTTPRequest.Method, _ fields: HTTPFields) {
        guard let origin = fields.value(of: .origin) else { return nil }
        self.origin = origin
        let named = fields[.accessControlRequestMethod]
        self.method = named ?? method.rawValue
        namesMethod = named != nil
        headers = (fields[.accessControlRequestHeaders] ?? "").split(separator: ",").map { String($0).trimmed.lowercased() }
            .filter { !$0.isEmpty }
    }
}
