import Calls
import Cloud
import HTTPTypes
import WireFormats

/// Prevents stored documents from running with the origin of the control API and the login pages.
///
/// It applies only to browsers, and not at hosts that name a bucket: those serve only the bucket, so a page there shares its origin with
/// nothing else. (W3C, "Content Security Policy Level 3", `sandbox`; "Fetch Metadata Request Headers".)
enum BrowserGuard {
    /// A sandbox without `allow-same-origin`: a document keeps its scripts, forms and links, but its origin is opaque. It has no cookies,
    /// cannot register a service worker, cannot read responses of this process, and sends `Origin: null`.
    static let sandbox =
        "sandbox allow-downloads allow-forms allow-modals allow-pointer-lock allow-popups allow-popups-to-escape-sandbox allow-scripts"

    /// Rejects requests for the script of a service worker, which would control every path of the origin.
    static func refusal(of call: Call) -> Response? {
        guard call.headers.contains(.serviceWorker) else { return nil }
        return text(
            "Objects are not served as service workers at this host. Use a host that names the bucket.", for: "service_worker_refused",
            call)
    }

    /// Adds the protecting headers to a response, or replaces it by an error.
    static func protect(_ response: inout Response, to call: Call) {
        switch response.display {
        case .frame: break
        case .page where isForScriptOrFrame(call):
            response = text("Scripts cannot read this page, and it is not shown in frames.", for: "page_refused", call)
        case .page where !call.isAtKnownHost:
            response = text(
                "\(call.host) is not a name of this server. Start virga with --alias \(call.host).", for: "foreign_host", call)
        case .page: break
        case .content where response.status.kind == .redirection && response.status != .notModified: break
        case .content:
            // Browsers show PDF documents in a viewer with an origin of its own, and never in a sandbox. The last of several types counts.
            if response.headers.value(of: .contentType)?.lowercased() == "application/pdf" { break }
            response.headers.append(HTTPField(name: .contentSecurityPolicy, value: sandbox))
        }
    }

    /// Returns whether a browser reports something other than a navigation of a tab or window.
    private static func isForScriptOrFrame(_ call: Call) -> Bool {
        guard call.headers.contains(.secFetchSite) else { return false }
        if let mode = call.headers.value(of: .secFetchMode), mode != "navigate" { return true }
        if let destination = call.headers.value(of: .secFetchDest), destination != "document" { return true }
        return false
    }

    private static func text(_ text: String, for code: String, _ call: Call) -> Response {
        call.note(errorCode: code, message: text)
        var headers = HTTPFields.unstored
        headers[.resourcePolicy] = "same-origin"
        headers[.contentSecurityPolicy] = sandbox
        return Response(status: .forbidden, contentType: "text/plain; charset=utf-8", headers: headers, text: text + "\n")
    }
}
