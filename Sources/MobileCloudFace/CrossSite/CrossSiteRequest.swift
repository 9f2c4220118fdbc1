import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// A request that a page of another origin makes, and whether the environment lets it.
/// (Fetch Standard, "CORS protocol"; Using Oracle Mobile Cloud Service, "Securing Cross-Site Requests to MCS APIs".)
///
/// What the policy does not allow is answered as it always is, without the fields for which a browser would show the page the answer: users
/// of the service have seen its preflights refused with 401 then.
struct CrossSiteRequest {
    private let call: Call
    private let origin: String
    private let isAllowed: Bool
    /// Names of fields that pages may read, beside those that every page may.
    private let exposed: String

    /// - Returns: nothing for a request that names no origin.
    init?(_ call: Call, policies: EnvironmentPolicies) {
        guard let origin = call.headers.value(of: .origin) else { return nil }
        self.call = call
        self.origin = origin
        isAllowed = URLPatterns(policies["Security_AllowOrigin"]).allows(origin: origin)
        exposed = (policies["Security_ExposeHeaders"] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// What a browser hears that asks before it sends the request itself; `nil` if this is no such question.
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
        // Custom APIs may take any field, and so may a page that is trusted send it.
        headers[.accessControlAllowHeaders] =
            call.headers.value(of: .accessControlRequestHeaders) ?? Self.headersOfClients.joined(separator: ", ")
        return Response(status: .ok, headers: headers)
    }

    /// Shows the page an answer, if it may see it. What custom code says of that counts for nothing.
    func admit(to response: inout Response) {
        for name in Self.responseFields { response.headers[name] = nil }
        response.headers[.vary] = Self.adding("Origin", to: response.headers[.vary])
        guard isAllowed else { return }
        response.headers.append(contentsOf: admission)
        if !exposed.isEmpty { response.headers[.accessControlExposeHeaders] = exposed }
    }

    /// Pages send cookies along, for which the origin must be said as it is.
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

    /// What the SDKs send, for a browser that does not say what it wants to send.
    private static let headersOfClients = [
        "Accept", "Authorization", "Content-Type", "If-Match", "If-Modified-Since", "If-None-Match", "If-Unmodified-Since",
        "Oracle-Mobile-Analytics-Application-Id", "Oracle-Mobile-Analytics-Session-ID", "Oracle-Mobile-API-Version",
        "Oracle-Mobile-Application-Key", "Oracle-Mobile-Backend-ID", "Oracle-Mobile-CLIENT-REQUEST-TIME", "Oracle-Mobile-Client-SDK-Info",
        "Oracle-Mobile-DEVICE-ID", "Oracle-Mobile-DIAGNOSTIC-SESSION-ID", "Oracle-Mobile-Name", "Oracle-Mobile-Social-Access-Token",
        "Oracle-Mobile-Social-Identity-Provider", "Oracle-Mobile-Sync-Agent", "Oracle-Mobile-Sync-Resource-Type",
        "X-RESOURCE-IDENTITY-DOMAIN-NAME", "X-USER-IDENTITY-DOMAIN-NAME",
    ]
}
