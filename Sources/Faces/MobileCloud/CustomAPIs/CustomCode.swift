import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import NIOCore
import WireFormats

/// The implementation of a custom API in another process. It receives the caller's request, the caller's backend and a credential for
/// calling other APIs on behalf of the caller. Its response is returned to the caller.
///
/// The backend and credential are in the headers that the service's own container for custom code reads: `Authorization`,
/// `Oracle-Mobile-Backend-ID`, `-Name` and `-Version`. (Using Oracle Mobile Cloud Service, "Implementing Custom APIs".)
struct CustomCode {
    let call: MobileCall
    let api: CustomAPI
    let caller: MobileCaller

    /// The longest body in bytes, in either direction. A longer request is rejected with status 413, a longer response with 502.
    static let longestBody = 10 << 20
    /// The deepest nesting of custom API calls.
    private static let deepest = 8

    /// - Parameter url: replaces the API's own path; the rest of the request path is appended.
    func answer(at url: String) async throws -> Response {
        let depth = (caller.customCode?.depth ?? 0) + 1
        guard depth <= Self.deepest else {
            throw MobileError(.customCodeFailed, "Custom APIs may call one another \(Self.deepest) levels deep: \(api.key) was not called.")
        }
        let credential = try CustomCodeCredential(
            for: caller, of: MobileCaller.CustomCode(api: api.key, depth: depth), at: call.http.received
        ).sealed(with: call.cloud.sealingKey)
        let policies = call.mobile.environment.policies
        var order = OutboundRequest(
            method: call.method, url: url.withoutSlashAtEnd + (try rest()), headers: fields(credential: credential),
            body: try await call.http.collectBody(upTo: Self.longestBody),
            connectTimeout: policies.duration("Network_HttpConnectTimeout") ?? .seconds(20),
            timeout: policies.duration("Network_HttpRequestTimeout") ?? .seconds(40), longestAnswer: Self.longestBody)
        order.readTimeout = policies.duration("Network_HttpReadTimeout")
        let answer: OutboundResponse
        do {
            answer = try await call.outbound(order)
        } catch OutboundError.timedOut {
            throw MobileError(.customCodeTimedOut, "The custom code of \(api.key) did not answer in time.")
        } catch {
            throw MobileError(
                .customCodeFailed,
                "The custom code of \(api.key) cannot be reached, or its response is not HTTP with at most \(Self.longestBody) bytes.")
        }
        guard (200...599).contains(answer.status) else {
            throw MobileError(.customCodeFailed, "The custom code of \(api.key) answered with status \(answer.status).")
        }
        return response(answer)
    }

    /// Returns the request path below the API, and the query, as the caller spelled them.
    private func rest() throws(MobileError) -> String {
        let segments = call.path.dropFirst(3)
        guard !segments.contains(where: { $0 == "." || $0 == ".." || $0.contains("../") || $0.contains("..\\") }) else {
            throw MobileError(.malformedRequest, "The path must not have . or .. as a segment.")
        }
        let path = call.http.path.split(separator: "/").dropFirst(3).map { "/" + $0 }.joined()
        return call.http.query.isEmpty ? path : "\(path)?\(call.http.query)"
    }

    private func fields(credential: String) -> HTTPFields {
        var fields = call.http.headers.endToEnd
        // The caller's own credentials are not forwarded.
        for name in [HTTPField.Name.cookie, .contentLength, .expect, .socialAccessToken, .proxyAuthorization] { fields[name] = nil }
        fields[.authorization] = "Bearer \(credential)"
        fields[.backendID] = caller.backend.id
        fields[.backendName] = caller.backend.name
        fields[.backendVersion] = caller.backend.version
        fields[.apiVersion] = api.version
        fields[.executionContext] = call.http.executionContext
        return fields
    }

    private func response(_ answer: OutboundResponse) -> Response {
        var fields = answer.headers.endToEnd
        // This server sets these itself.
        for name in [HTTPField.Name.contentLength, .date] { fields[name] = nil }
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: fields,
            body: answer.body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }
}

extension HTTPFields {
    /// The headers without hop-by-hop headers (RFC 9110 section 7.6.1).
    fileprivate var endToEnd: HTTPFields {
        var named: Set<String> = ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "host"]
        for field in self where field.name == .connection {
            for name in field.value.split(separator: ",") { named.insert(name.filter { $0 != " " }.lowercased()) }
        }
        var fields = HTTPFields()
        for field in self where !named.contains(field.name.canonicalName) { fields.append(field) }
        return fields
    }
}

extension HTTPField.Name {
    fileprivate static let backendName = HTTPField.Name(literal: "Oracle-Mobile-Backend-Name")
    fileprivate static let backendVersion = HTTPField.Name(literal: "Oracle-Mobile-Backend-Version")
    /// The header in which Oracle's servers pass the execution context of a request.
    fileprivate static let executionContext = HTTPField.Name(literal: "ECID-Context")
}

extension String {
    fileprivate var withoutSlashAtEnd: String { hasSuffix("/") ? String(dropLast()) : self }
}
