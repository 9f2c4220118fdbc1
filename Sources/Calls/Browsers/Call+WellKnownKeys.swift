package import Federation
import HTTPTypes

/// What a signed request does, as far as pages matter.
package enum SignedUse {
    /// It reads from a store. Whether a page can see the answer is up to the bucket's CORS configuration.
    case read
    /// It writes to a store; whether the bucket's CORS configuration allows the page to.
    case write(isAllowed: Bool)
    /// It calls a service that answers GET and POST alike.
    case call
}

extension Call {
    /// Refuses requests that a page signs with a well-known key: any site could sign them.
    ///
    /// Other keys are not affected, and neither are clients that are not browsers. Forms and simple requests reach a server without a CORS
    /// preflight, so the browser does not stop them.
    /// - Parameter use: evaluated only where it matters.
    /// - Returns: the reason for the refusal and what to do about it; `nil` for a request that counts.
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
