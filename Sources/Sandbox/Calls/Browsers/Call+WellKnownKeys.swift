package import Federation
import HTTPTypes
import WireFormats

/// The use of a signed request, as far as it matters for web pages.
package enum SignedUse {
    /// Reads from a store. The bucket's CORS configuration decides whether a page can see the response.
    case read
    /// Writes to a store; `isAllowed` says whether the bucket's CORS configuration allows the page to.
    case write(isAllowed: Bool)
    /// Calls a service that accepts GET and POST alike.
    case call
}

extension Call {
    /// Returns why a request that a page signed with a well-known key is rejected. Any site could sign such requests.
    ///
    /// Other keys and clients that are not browsers are not affected. Forms and simple requests reach a server without a CORS
    /// preflight, so the browser does not stop them.
    /// - Parameter use: evaluated only if needed.
    /// - Returns: the reason for the rejection and what to do about it; `nil` for an accepted request.
    package func refusal(
        ofKey accessKey: String, by authenticator: Authenticator, _ use: @autoclosure () -> SignedUse
    ) -> String? {
        guard isFromBrowser, authenticator.refusesPages(signingWith: accessKey) else { return nil }
        guard isAtKnownHost else {
            return "A browser signed this request with a well-known access key, and \(host) is not a name of this process. "
                + "Start virga with --alias \(host)."
        }
        let source = source
        var advice = "Use another access key"
        switch (source, use()) {
        case (.program, _), (.person, _), (.ownPage, _), (_, .read), (_, .write(isAllowed: true)), (.browser, .write): return nil
        case (_, .write): advice += ", allow the page's origin and \(method.rawValue) in the CORS configuration of the bucket"
        case (_, .call): break
        }
        var page = "A page"
        if case .foreignPage(let origin?) = source { page = "A page of the origin \(origin)" }
        return "\(page) sent this request, signed with a well-known access key. \(advice), or start virga with "
            + "--allow-foreign-pages."
    }
}
