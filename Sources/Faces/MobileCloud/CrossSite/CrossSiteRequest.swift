import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// A cross-origin request, and whether the environment allows it.
/// (Fetch Standard, "CORS protocol"; Using Oracle Mobile Cloud Service, "Securing Cross-Site Requests to MCS APIs".)
///
/// Requests that the policy does not allow get the usual response without CORS headers, so the browser hides it from the page. Users of the
/// service have seen its preflight requests rejected with status 401.
struct CrossSiteRequest {
    private let call: Call
    private let origin: String
    private let isAllowed: Bool
    /// The names of the headers that pages may read, in addition to the CORS-safelisted ones.
    private let exposed: String

    /// - Returns: `nil` for a request without an `Origin` header.
    init?(_ call: Call, policies: EnvironmentPolicies) {
        guard let origin = call.headers.value(of: .origin) else { return nil }
        self.call = call
        self.origin = origin
        isAllowed = URLPatterns(policies["Security_AllowOrigin"]).allows(origin: origin)
        exposed = (policies["Security_ExposeHeaders"] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The response to a preflight request; `nil` for any other request.
    var preflightAnswer: Response? {
        guard call.method == .options, call.headers.contains(.accessControlRequestMethod) else { return nil }
        call.note(operation: "Preflight")
        guard isAllowed else {
            let refusal = MobileError(.originNotAllowed, "The policy Security_AllowOrigin does not allow cross-site requests of \(origin).")
            return ErrorResponder(call: call).response(to: refusal)
        }
        var headers = admission
        headers[.vary] = "Origin, Access-Control-Request-Headers, Access-Control-Request-Method"
        headers[.accessControlAllowMethods] = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
        // Custom APIs may use any header, so a trusted page may send any.
        headers[.accessControlAllowHeaders] =
            call.headers.value(of: .accessControlRequestHeaders) ?? Self.headersOfClients.joined(separator: ", ")
        return Response(status: .ok, headers: headers)
    }

    /// Adds the CORS headers to a response if the page may read it. CORS headers from custom code are removed.
    func admit(to response: inout Response) {
        for name in Self.responseFields { response.headers[name] = nil }
        response.headers[.vary] = Self.adding("Origin", to: response.headers[.vary])
        guard isAllowed else { return }
        response.headers.append(contentsOf: admission)
        if !exposed.isEmpty { response.headers[.accessControlExposeHeaders] = exposed }
    }

    /// The headers for an allowed origin. Pages send cookies, so the origin must be named and cannot be `*`.
    private var admission: HTTPFields { [.accessControlAllowOrigin: origin, .accessControlAllowCredentials: "true"] }

    private static func adding(_ name: String, to varying: String?) -> String {
        guard let varying else { return name }
        return varying.lowercased().split(separator: ",").contains { $0.filter { $0 != " " } == name.lowercased() }
            ? varying : "\(varying), \(name)"
    }

    private static let responseFields: [HTTPField.Name] = [
        .accessControlAllowOrigin, .accessControlAllowCredentials, .accessControlAllowMethods, .accessControlAllowHeaders,
        .accessControlExposeHeaders, .accessControlMaxAge,
    ]

    /// The headers that the SDKs send; the default for a preflight request that lists none.
    private static let headersOfClients = [
        "Accept", "Authorization", "Content-Type", "If-Match", "If-Modified-Since", "If-None-Match", "If-Unmodified-Since",
        "Oracle-Mobile-Analytics-Application-Id", "Oracle-Mobile-Analytics-Session-ID", "Oracle-Mobile-API-Version",
        "Oracle-Mobile-Application-Key", "Oracle-Mobile-Backend-ID", "Oracle-Mobile-CLIENT-REQUEST-TIME", "Oracle-Mobile-Client-SDK-Info",
        "Oracle-Mobile-DEVICE-ID", "Oracle-Mobile-DIAGNOSTIC-SESSION-ID", "Oracle-Mobile-Name", "Oracle-Mobile-Social-Access-Token",
        "Oracle-Mobile-Social-Identity-Provider", "Oracle-Mobile-Sync-Agent", "Oracle-Mobile-Sync-Resource-Type",
        "X-RESOURCE-IDENTITY-DOMAIN-NAME", "X-USER-IDENTITY-DOMAIN-NAME",
    ]
}
