import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import NIOCore
import WireFormats

/// Sends all outgoing requests of this process. A request for one of its own names goes directly to the front door: an emulated service, an
/// alias, or the canonical name of an issuer. Loopback addresses use the network, since other processes have ports there.
final class OutboundClient: Sendable {
    private let cloud: Cloud
    private let names: HostNames
    private let network: NetworkClient
    private let enter: Enter

    /// Answers a request that this process sends to itself.
    typealias Enter = @Sendable (Request, _ isSecure: Bool) async -> Response

    /// - Parameters:
    ///   - names: the host names of the sandbox.
    ///   - network: sends the requests for other servers.
    ///   - enter: answers the requests for this process.
    init(cloud: Cloud, names: HostNames, network: NetworkClient, enter: @escaping Enter) {
        self.cloud = cloud
        self.names = names
        self.network = network
        self.enter = enter
    }

    /// - Throws: an error that prevented a response.
    func send(_ request: OutboundRequest) async throws -> OutboundResponse {
        var request = request
        // It would come from this machine, and so have all rights there.
        guard !Self.isForControlAPI(request.url) else { throw OutboundError.notAllowed }
        Trace.current?.write(to: &request.headers)
        guard let own = ownRequest(request) else { return try await network.send(request) }
        let response = await enter(own.request, own.isSecure)
        if response.isLost { throw ChannelError.eof }
        guard request.needsContent else {
            try await response.body.write(DiscardingWriter())
            return OutboundResponse(status: response.status.code, headers: response.headers)
        }
        let content = try await response.body.collected(upTo: request.longestAnswer)
        return OutboundResponse(status: response.status.code, headers: response.headers, body: content)
    }

    /// Returns whether a URL has the path of a control API: the own one, or that of another such process.
    private static func isForControlAPI(_ url: String) -> Bool {
        guard let path = Origin(url: url)?.path.prefix(while: { $0 != "?" && $0 != "#" }) else { return false }
        return path == "/_virga" || path.hasPrefix("/_virga/")
    }

    /// Returns the request for the front door if it is for this process.
    private func ownRequest(_ order: OutboundRequest) -> (request: Request, isSecure: Bool)? {
        guard let origin = Origin(url: order.url) else { return nil }
        var target = String(origin.path)
        if names.sandboxHost(origin.host) != nil {
            // Its name may resolve nowhere else.
        } else if let provider = cloud.directory.provider(canonicallyNaming: order.url) {
            if !target.hasPrefix(IssuerPaths.own + provider.name) {
                target = IssuerPaths.own + provider.name + order.url.dropFirst(provider.issuer?.count ?? 0)
            }
        } else if let name = EmulatedHosts.identityProviders[origin.host] {
            guard cloud.directory.providers[name] != nil else { return nil }
        } else if cloud.directory.issuer(atHost: origin.host, path: target) != nil, !names.contains(origin.host) {
            // The front door finds the issuer by its host.
        } else if HostNames.isThisMachine(origin.host) || !isOwn(origin) {
            // The listening address is among the aliases, and other processes have ports there.
            return nil
        }
        if !target.hasPrefix("/") { target = "/" + target }
        return (
            Request(
                method: order.method, target: target, authority: origin.authority, headers: order.headers,
                body: RequestBody(buffer: ByteBuffer(bytes: order.body))),
            order.url.hasPrefix("https:")
        )
    }

    /// Returns whether an origin belongs to this process: an alias, or a name that only an issuer's own documents use.
    private func isOwn(_ origin: Origin) -> Bool {
        names.aliases.contains(origin.host) || !names.contains(origin.host) && cloud.directory.hasEndpoint(at: origin)
    }
}

extension Directory {
    /// Returns the provider whose canonical issuer is a prefix of the URL.
    fileprivate func provider(canonicallyNaming url: String) -> IdentityProvider? {
        providers.values.first { provider in
            guard !provider.kind.isSocial, let issuer = provider.issuer, url.hasPrefix(issuer) else { return false }
            return issuer.hasSuffix("/") || ["/", "?", nil].contains(url.dropFirst(issuer.count).first)
        }
    }

    /// Returns whether an issuer's own documents name an origin. This is the host of its canonical name, or one that its seed gives its
    /// endpoints, with a path of the provider on this process.
    fileprivate func hasEndpoint(at origin: Origin) -> Bool {
        providers.values.contains { provider in
            guard !provider.kind.isSocial else { return false }
            let names = [provider.issuer, provider.origins?.issuer, provider.origins?.browser, provider.origins?.backChannel]
            return names.contains { $0.flatMap(Origin.init(url:))?.host == origin.host }
                && IssuerPaths.all.contains { origin.path.hasPrefix($0 + provider.name + "/") }
        }
    }
}

private struct DiscardingWriter: ResponseBodyWriter {
    mutating func write(_ buffer: ByteBuffer) async throws {}

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
