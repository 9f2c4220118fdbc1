import Calls
import Federation
import WireFormats

/// The address at which a browser asked for the console.
struct ConsolePlace: Sendable {
    /// The origin of the page, as the browser sees it.
    let origin: String
    /// The origin of the services: the same, except on the console's own port.
    let services: String
    /// Whether the request arrived at the console's own port. Its listener says so, because a port mapping can give that port any number, and a
    /// client can send any `Host`.
    let isOwnPort: Bool
    /// Whether the page may be shown here. Browsers report what a request is for (Fetch Metadata) only to loopback hosts and over HTTPS.
    /// Elsewhere a document in a bucket could read the pages, so they need an origin of their own. The same is true of names that a bucket
    /// can have: its service worker stays when the bucket is gone, and receives every page of the origin by navigation preload.
    let isSafe: Bool
    /// The colors that the browser chose.
    var appearance = Appearance.automatic

    /// Creates a place that is safe.
    init(origin: String, services: String, isOwnPort: Bool = false) {
        (self.origin, self.services, self.isOwnPort, isSafe) = (origin, services, isOwnPort, true)
    }

    /// - Returns: `nil` if the host is not a name of this process.
    init?(_ call: Call, endpoint: String) {
        guard call.authority.utf8.allSatisfy(Self.isOfAuthority), call.names.contains(call.host) else { return nil }
        let requested = "\(call.isSecure ? "https" : "http")://\(call.authority)"
        let publicURL = call.names.publicURL.flatMap { url in
            Origin(url: url)?.authority.lowercased() == call.authority.lowercased() ? url : nil
        }
        origin = publicURL ?? requested
        isOwnPort = call.request.isAtConsolePort
        appearance = Appearance(of: call)
        let canBeBucket = call.names.base(of: call.host) != nil
        isSafe = isOwnPort || !canBeBucket && (origin.hasPrefix("https://") || HostNames.isBrowsersMachine(call.host))
        guard isOwnPort, let first = Origin(url: endpoint) else {
            services = origin
            return
        }
        services = "\(endpoint.hasPrefix("https://") ? "https" : "http")://\(call.host)" + (first.port.map { ":\($0)" } ?? "")
    }

    private static func isOfAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._:[]".utf8.contains(byte)
        }
    }
}
