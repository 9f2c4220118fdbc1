import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

/// Whether the person's session is still the one that an application was let in with, as the application asks from a page of its own,
/// through a frame (OpenID Connect Session Management 1.0 section 3). Keycloak's script for browsers asks in the same way.
///
/// No script reads the session's cookie: the frame asks us. The state that is compared is the session's identifier, which opens nothing.
struct CheckSessionEndpoint {
    let visit: Visit

    /// Where the frame asks, below its own path.
    static let statusPath = "/init"

    static func metadata(_ visit: Visit) -> JSONObject { ["check_session_iframe": .string(visit.url(of: .checkSession))] }

    /// Takes the client's identifier and a state with a space between them, and says what has become of the session (section 3.2).
    private static let script = """
        addEventListener('message',async({data,origin,source})=>{if(typeof data!=='string'||!source||source===window)return;\
        const at=data.lastIndexOf(' ');let answer='error';\
        if(at>0)try{const query=new URLSearchParams({client_id:data.slice(0,at),session_state:data.slice(at+1),origin});\
        const {status}=await fetch(location.pathname+'\(statusPath)?'+query,{cache:'no-store'});\
        answer={200:'changed',204:'unchanged'}[status]??answer}catch{}source.postMessage(answer,origin)})
        """

    /// What Keycloak's script for browsers loads first: frames of other sites may be kept from their cookies.
    private static let cookieScript = """
        document.cookie='virga-frame=1; SameSite=Lax';const isKept=document.cookie.includes('virga-frame=1');\
        document.cookie='virga-frame=; Max-Age=0';parent.postMessage(isKept?'supported':'unsupported','*')
        """

    func respond() async throws -> Response {
        guard visit.method == .get else { throw visit.refusedMethod(but: "GET") }
        return visit.path.hasSuffix(Self.statusPath) ? try await status() : try await frame(running: Self.script)
    }

    func cookieProbe() async throws -> Response { try await frame(running: Self.cookieScript) }

    /// A page for frames of whichever site.
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

    /// 204 for a session that is the same, 200 for one that is not. Other sites than the application's are told nothing.
    private func status() async throws -> Response {
        try await visit.enter("SessionStatus")
        let query: FormFields
        do { query = try visit.query() } catch { throw OAuthError(.invalidRequest, error.explanation) }
        guard let client = visit.provider.client(query["client_id"] ?? ""), let origin = query.value("origin"),
            client.hasPage(at: origin)
        else { throw OAuthError(.accessDenied, "The origin is not that of a registered application.", status: .forbidden) }
        // Who was let in by nobody asks whether that is still so.
        let isSame = try BrowserSession(of: visit)?.id ?? "" == query["session_state"] ?? ""
        return Response(status: isSame ? .noContent : .ok, headers: .unstored)
    }
}

extension Client {
    /// Whether people are sent to a page of the application that is at this origin.
    func hasPage(at origin: String) -> Bool { redirectURIs.contains { SignInPage.source(of: $0) == origin } }
}
