import Calls
package import HTTPTypes
import WireFormats

/// What a request from a page of another origin says of itself: the preflight, or the request that follows it.
/// (Fetch Standard, "CORS protocol"; S3 User Guide, "Using cross-origin resource sharing".)
package struct CORSQuestion: Hashable, Sendable {
    /// The `Origin` field.
    package var origin: String
    /// The method that the page wants to use. S3 lets `Access-Control-Request-Method` say it on any request.
    package var method: String
    /// In small letters, in the order asked for.
    package var headers: [String]

    /// - Returns: nothing for a request that names no origin.
    package init?(_ method: HTTPRequest.Method, _ fields: HTTPFields) {
        guard let origin = fields.value(of: .origin) else { return nil }
        self.origin = origin
        self.method = fields[.accessControlRequestMethod] ?? method.rawValue
        headers = (fields[.accessControlRequestHeaders] ?? "").split(separator: ",").map { String($0).trimmed.lowercased() }
            .filter { !$0.isEmpty }
    }
}
