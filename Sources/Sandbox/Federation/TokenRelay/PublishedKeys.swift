import HTTPTypes
import WireFormats

/// Where an issuer publishes its keys, and how they are fetched. (Using Oracle Mobile Cloud Service, configuration reference, `jwks`.)
package struct PublishedKeys: Hashable, Sendable {
    /// The URL of the discovery document; `nil` if only ``keySet`` is configured.
    package var discovery: String?
    /// The URL of the key set; `nil` if the discovery document contains it.
    package var keySet: String?
    /// Whether the addresses may be `http:`.
    package var allowsHTTP: Bool
    /// How long the keys are cached.
    package var reload: ReloadInterval
    /// In seconds.
    package var connectTimeout: Int
    /// In seconds.
    package var readTimeout: Int
    /// The TLS versions to use; `nil` if none of the configured versions is supported any more.
    package var tlsVersions: ClosedRange<OutboundRequest.TLSVersion>?
    /// The value of the `Authorization` header in the requests to the configured origin.
    private var authorization: String?

    init(_ reader: ConfigurationReader) {
        discovery = reader.text("discoveryUri")
        keySet = reader.text("jwksUri")
        if reader.value("discoveryUri") == nil, reader.value("jwksUri") == nil {
            reader.fault("jwksUri", "present if discoveryUri is absent")
        }
        allowsHTTP = reader.bool("allowHttp", or: false)
        reload = ReloadInterval(
            reader, least: "minReloadInterval", most: "maxReloadInterval", or: ReloadInterval(least: 60, most: 28_800))
        connectTimeout = reader.seconds("connectTimeout", least: 1) ?? 30
        readTimeout = reader.seconds("readTimeout", least: 1) ?? 60
        tlsVersions = Self.tlsVersions(reader)
        authorization = reader.text("authorizationHeader")
        if let authorization, !HTTPField.isValidValue(authorization) { reader.fault("authorizationHeader", "the value of a header field") }
        if tlsVersions == nil { reader.warn("tlsVersions", "No TLS library speaks SSL any more: the keys cannot be fetched.") }
        if !allowsHTTP, [discovery, keySet].contains(where: { $0?.hasPrefix("http:") == true }) {
            reader.warn("allowHttp", "is off, so the http: address is not fetched.")
        }
    }

    /// Returns the value of the `Authorization` header in the request to a URL; `nil` if the URL has another origin than the one that the
    /// header was configured for, because a discovery document may name any server.
    package func authorization(for url: String) -> String? {
        guard let configured = (keySet ?? discovery).flatMap(Origin.init(url:)), let origin = Origin(url: url) else { return nil }
        return configured.isSame(as: origin) ? authorization : nil
    }

    /// Returns the newest of the configured versions and those directly below it.
    /// Versions below a gap are omitted, since TLS is configured by a range.
    private static func tlsVersions(_ reader: ConfigurationReader) -> ClosedRange<OutboundRequest.TLSVersion>? {
        guard let names = reader.texts("tlsVersions") else { return .tls11 ... .tls12 }
        var versions: Set<OutboundRequest.TLSVersion> = []
        for name in names {
            guard let known = spoken[name] else {
                reader.fault("tlsVersions", "a list of some of " + tlsVersionNames.joined(separator: ", "))
                return .tls11 ... .tls12
            }
            versions.formUnion(known)
        }
        guard let newest = versions.max() else { return nil }
        var oldest = newest
        while let older = OutboundRequest.TLSVersion(rawValue: oldest.rawValue - 1), versions.contains(older) { oldest = older }
        return oldest...newest
    }

    /// The names of the versions.
    package static let tlsVersionNames = spoken.keys.sorted()

    /// The versions that each name stands for. TLS libraries no longer support SSL (RFC 6176, RFC 7568).
    private static let spoken: [String: Set<OutboundRequest.TLSVersion>] = [
        "SSL": [], "SSLv2": [], "SSLv3": [], "TLS": [.tls1, .tls11, .tls12, .tls13], "TLSv1": [.tls1], "TLSv1.1": [.tls11],
        "TLSv1.2": [.tls12],
    ]
}
