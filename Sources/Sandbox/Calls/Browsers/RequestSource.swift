import Cloud
import Directory
import Federation
package import HTTPTypes
import ObjectStore
import WireFormats

/// The source of a request, as far as browsers report it. Pages can neither remove nor set these headers.
/// (Fetch Standard, "`Origin` header"; W3C, "Fetch Metadata Request Headers".)
package enum RequestSource: Equatable, Sendable {
    /// curl, an SDK or a test suite: no header that only browsers send.
    case program
    /// A browser that reports nothing more. GET requests without CORS to plain HTTP hosts other than loopback are like this.
    case browser
    /// A user typed the URL or opened a bookmark.
    case person
    /// A page of the same origin.
    case ownPage
    /// A page of another origin, or of an opaque origin.
    case foreignPage(origin: String?)

    /// Whether a page of another origin, or of an opaque origin, sent the request.
    package var isForeignPage: Bool {
        if case .foreignPage = self { true } else { false }
    }

    /// Whether a page of any origin sent the request.
    package var isPage: Bool { self == .ownPage || isForeignPage }
}

extension Call {
    /// The source of the request.
    package var source: RequestSource {
        let origin = headers.value(of: .origin) ?? refererOrigin
        guard isFromBrowser || origin != nil else { return .program }
        // The browser computes this header, so proxies that change the host do not matter. Node's fetch sends other Sec-Fetch headers only.
        switch headers.value(of: .secFetchSite) {
        case "same-origin": return .ownPage
        case "none": return .person
        case .some: return .foreignPage(origin: origin)
        case nil: break
        }
        guard let origin else { return .browser }
        guard isOwn(origin) else { return .foreignPage(origin: origin) }
        return isFromBrowser ? .ownPage : .program
    }

    /// The origin of the page that a `Referer` names, which is all that old browsers report; `null` for a value that names none. A page can
    /// omit the header, but not name a page of another site. (RFC 9110 section 10.1.3.)
    private var refererOrigin: String? {
        guard let referer = headers.value(of: .referer)?.lowercasedASCII, !referer.isEmpty else { return nil }
        guard let origin = Origin(url: referer) else { return "null" }
        return "\(referer.hasPrefix("https:") ? "https" : "http")://\(origin.authority)"
    }

    /// Returns whether the request has a header that identifies a browser.
    static func isFromBrowser(_ headers: HTTPFields) -> Bool {
        if headers.has(.origin) || headers.has(.secFetchSite) { return true }
        return headers.value(of: .userAgent)?.begins(with: "Mozilla/") ?? false
    }

    /// Returns whether an origin is the one that the request addresses. The scheme is ignored: a proxy may terminate TLS.
    private func isOwn(_ origin: String) -> Bool {
        let origin = origin.lowercased()
        if origin == self.origin.lowercased() { return true }
        return Origin(url: origin)?.authority == authority.lowercased()
    }

    /// Whether the request addresses a name or IP address of this process. A malicious site can bind any other name to this machine's IP
    /// address (DNS rebinding).
    package var isAtKnownHost: Bool {
        let host = self.host
        return names.contains(host) || names.base(of: host) != nil || names.emulates(host) || HostNames.isAddress(host)
            || cloud.objects.bucket(named: host) != nil || cloud.objects.bucket(hostedAt: host) != nil
            || cloud.directory.vending.kind(ofHost: host) != nil || cloud.directory.hasIssuer(atHost: host)
            || cloud.directory.credentialSources.isIdentityCenter(host: host)
            || cloud.directory.userPools.domain(ofHost: host) != nil
    }
}

extension HTTPField.Name {
    /// The relation between the sending site and this one. (W3C Fetch Metadata.)
    package static let secFetchSite = HTTPField.Name(literal: "Sec-Fetch-Site")
    /// The mode of a browser's request. (W3C Fetch Metadata.)
    package static let secFetchMode = HTTPField.Name(literal: "Sec-Fetch-Mode")
    /// The destination of the response in the browser. (W3C Fetch Metadata.)
    package static let secFetchDest = HTTPField.Name(literal: "Sec-Fetch-Dest")
    /// Marks a browser's request for the script of a service worker.
    package static let serviceWorker = HTTPField.Name(literal: "Service-Worker")
}
