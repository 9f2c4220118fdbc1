import ControlDocuments
import Federation
import WireFormats

/// The addresses of a sandbox, as `GET /_virga/sandboxes` returns them.
struct SandboxAddresses {
    private let url: String
    private let portURL: String?
    private let securePortURL: String?

    init(_ sandbox: Document<SandboxMembers>) {
        (url, portURL, securePortURL) = (sandbox.url, sandbox.portURL, sandbox.securePortURL)
    }

    /// The address for clients: the port if there is one, because every client can use it.
    var forClients: String { portURL ?? url }

    /// Returns the origin at which a browser that is at `place` finds the console of the sandbox; `nil` if the console's own port shows it.
    func origin(for place: ConsolePlace) -> String? {
        guard let here = Origin(url: place.origin) else { return nil }
        if url.hasPrefix("https://") { return url }
        if here.host == "localhost" || here.host.hasSuffix(".localhost") {
            return place.origin.hasPrefix("https://") ? at(securePortURL, "https", "localhost") : url
        }
        if place.origin.hasPrefix("https://") { return at(securePortURL, "https", here.host) }
        guard HostNames.isLoopback(here.host) else { return nil }
        return at(portURL, "http", here.host) ?? url
    }

    /// Returns the origin at which a browser that is in the console of another sandbox finds that of the default one; `nil` if it is not known.
    func originOfDefault(for place: ConsolePlace) -> String? {
        if url.hasPrefix("https://") { return url }
        guard let here = Origin(url: place.origin), !place.origin.hasPrefix("https://") else { return nil }
        return at(url, "http", here.host.hasSuffix(".localhost") ? "localhost" : here.host)
    }

    /// Returns the address for clients, with the host by which the browser reached the server.
    func forClients(at place: ConsolePlace) -> String {
        guard let here = Origin(url: place.origin), let port = at(portURL, "http", here.host), !here.host.hasSuffix(".localhost") else {
            return forClients
        }
        return port
    }

    private func at(_ url: String?, _ scheme: String, _ host: String) -> String? {
        url.flatMap { Origin(url: $0)?.port }.map { "\(scheme)://\(host):\($0)" }
    }
}
