import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

/// The check session iframe: applications ask whether the user's session still exists by posting messages to a frame (OpenID Connect
/// Session Management 1.0 section 3). Keycloak's JavaScript adapter uses it in the same way.
///
/// The session cookie is not readable by scripts, so the frame sends a request to this server. The compared state is the session's
/// identifier, which grants no access.
struct CheckSessionEndpoint {
    let visit: Visit

    /// The path of the status request, relative to the frame.
    static let statusPath = "/init"

    static func metadata(_ visit: Visit) -> JSONObject { ["check_session_iframe": .string(visit.url(of: .checkSession))] }

    /// Receives the client's identifier and the session state, separated by a space, and posts the status of the session (section 3.2).
    private static let script = """
        addEventListener('message',async({data,origin,source})=>{if(typeof data!=='string'||!source||source===window)return;\
        const at=data.lastIndexOf(' ');let answer='error';\
        if(at>0)try{const query=new URLSearchParams({client_id:data.slice(0,at),session_state:data.slice(at+1),origin});\
        const {status}=await fetch(location.pathname+'\(statusPath)?'+query,{cache:'no-store'});\
        answer={200:'changed',204:'unchanged'}[status]??answer}catch{}source.postMessage(answer,origin)})
        """

    /// The page that Keycloak's JavaScript adapter loads first, because browsers may block cookies in third-party frames.
    private static let cookieScript = """
        document.cookie='virga-frame=1; SameSite=Lax';const isKept=document.cookie.includes('virga-frame=1');\
        document.cookie='virga-frame=; Max-Age=0';parent.postMessage(isKept?'supported':'unsupported','*')
        """

    func respond() async throws -> Response {
        visit.path.hasSuffix(Self.statusPath) ? try await status() : try await frame(running: Self.script)
    }

    func cookieProbe() async throws -> Response { try await frame(running: Self.cookieScript) }

    /// Returns a page that every site may embed as a frame.
    private func frame(running script: String) async throws -> Response {
        try await visit.enter("CheckSession")
        var headers: HTTPFields = [.cacheControl: "no-cache", .xContentTypeOptions: "nosniff"]
        headers[.contentSecurityPolicy] =
            "default-src 'none'; base-uri 'none'; connect-src 'self'; script-src 'sha256-\(SHA256.hash(script).base64)'"
        var response = Response(
            status: .ok, contentType: "text/html; charset=utf-8", headers: headers,
            text: """
                <!doctype html>
                <html lang="en"><head><meta charset="utf-8"><title>Session</title></head><body><script>\(script)</script></body></html>

                """)
        response.display = .frame
        return response
    }

    /// Returns 204 if the session is unchanged, 200 if it has changed, and an error to other sites than the application's.
    private func status() async throws -> Response {
        try await visit.enter("SessionStatus")
        let query: FormFields
        do { query = try visit.query() } catch { throw OAuthError(.invalidRequest, error.explanation) }
        guard let client = visit.provider.client(query["client_id"] ?? ""), let origin = query.value("origin"),
            client.hasPage(at: origin)
        else { throw OAuthError(.accessDenied, "The origin is not that of a registered application.", status: .forbidden) }
        // If there was no session before, the state is unchanged as long as there is none.
        let isSame = try BrowserSession(of: visit)?.id ?? "" == query["session_state"] ?? ""
        return Response(status: isSame ? .noContent : .ok, headers: .unstored)
    }
}

extension Client {
    /// Returns whether one of the application's redirect URIs has this origin.
    func hasPage(at origin: String) -> Bool { redirectURIs.contains { SignInPage.source(of: $0) == origin } }
}
