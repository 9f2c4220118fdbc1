import Cloud
import Directory
import Federation
package import HTTPTypes
import ObjectStore

/// Where a request comes from, as far as browsers report it. Pages can neither remove nor set these fields.
/// (Fetch Standard, "`Origin` header"; W3C, "Fetch Metadata Request Headers".)
package enum RequestSource: Equatable, Sendable {
    /// curl, an SDK or a suite: no field that only browsers send.
    case program
    /// A browser that reports nothing more: at plain HTTP hosts other than loopback, GET requests without CORS are like this.
    case browser
    /// A person typed the address or opened a bookmark.
    case person
    /// A page of the same origin.
    case ownPage
    /// A page of another origin, or of an opaque one.
    case foreignPage(origin: String?)

    /// Whether a page of another origin, or of an opaque one, sent the request.
    package var isForeignPage: Bool {
        if case .foreignPage = self { true } else { false }
    }

    /// Whether a page sent the request, of whatever origin.
    package var isPage: Bool { self == .ownPage || isForeignPage }
}

extension Call {
    /// Where the request comes from.
    package var source: RequestSource {
        guard isFromBrowser else { return .program }
        let origin = headers.value(of: .origin)
        // Computed by the browser, so proxies that change the host do not matter. Node's fetch sends other Sec-Fetch fields, but not this.
        switch headers.value(of: .secFetchSite) {
        case "same-origin": return .ownPage
        case "none": return .person
        case .some: return .foreignPage(origin: origin)
        case nil: break
        }
        guard let origin else { return .browser }
        return isOwn(origin) ? .ownPage : .foreignPage(origin: origin)
    }

    /// Whether the request has a field that identifies a browser.
    static func isFromBrowser(_ headers: HTTPFields) -> Bool {
        if headers.contains(.origin) || headers.contains(.secFetchSite) { return true }
        return headers.value(of: .userAgent)?.hasPrefix("Mozilla/") ?? false
    }

    /// Whether an origin is the one that the request addresses. The scheme does not count: a proxy may end TLS.
    private func isOwn(_ origin: String) -> Bool {
        let origin = origin.lowercased()
        if origin == self.origin.lowercased() { return true }
        return Origin(url: origin)?.authority == authority.lowercased()
    }

    /// Whether the request addresses a name or address that belongs to this process. Any other name can be bound to this machine's
    /// address by the site whose page a browser shows (DNS rebinding).
    package var isAtKnownHost: Bool {
        let host = self.host
        return names.contains(host) || names.base(of: host) != nil || names.emulates(host) || HostNames.isAddress(host)
            || cloud.objects.bucket(named: host) != nil || cloud.objects.bucket(hostedAt: host) != nil
            || cloud.directory.vending.kind(ofHost: host) != nil
    }
}

extension HTTPField.Name {
    /// How the site that sends a request relates to this one. (W3C Fetch Metadata.)
    package static let secFetchSite = HTTPField.Name(literal: "Sec-Fetch-Site")
    /// The mode of a browser's request. (W3C Fetch Metadata.)
    package static let secFetchMode = HTTPField.Name(literal: "Sec-Fetch-Mode")
    /// What a browser wants the answer for. (W3C Fetch Metadata.)
    package static let secFetchDest = HTTPField.Name(literal: "Sec-Fetch-Dest")
    /// Says that a browser asks for the script of a service worker.
    package static let serviceWorker = HTTPField.Name(literal: "Service-Worker")
}
