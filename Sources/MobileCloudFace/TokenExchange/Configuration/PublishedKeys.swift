import Federation
import HTTPTypes
import WireFormats

/// Where an issuer publishes its keys, and how they are fetched. (Using Oracle Mobile Cloud Service, configuration reference, `jwks`.)
struct PublishedKeys: Hashable, Sendable {
    /// The URL of the discovery document; `nil` if only ``keySet`` is configured.
    var discovery: String?
    /// The URL of the key set; `nil` if the discovery document contains it.
    var keySet: String?
    var allowsHTTP: Bool
    var reload: ReloadInterval
    /// In seconds.
    var connectTimeout: Int
    var readTimeout: Int
    /// The TLS versions to use; `nil` if none of the configured versions is supported any more.
    var tlsVersions: ClosedRange<OutboundRequest.TLSVersion>?
    /// The value of the `Authorization` header in the requests to the configured origin.
    private var authorization: String?

    init(_ reader: ConfigurationReader) throws(ConfigurationFault) {
        discovery = try reader.text("discoveryUri")
        keySet = try reader.text("jwksUri")
        guard discovery != nil || keySet != nil else { throw reader.fault("jwksUri", "present if discoveryUri is absent") }
        allowsHTTP = try reader.bool("allowHttp", or: false)
        reload = try ReloadInterval(
            reader, least: "minReloadInterval", most: "maxReloadInterval", or: ReloadInterval(least: 60, most: 28_800))
        connectTimeout = try reader.seconds("connectTimeout", least: 1) ?? 30
        readTimeout = try reader.seconds("readTimeout", least: 1) ?? 60
        tlsVersions = try Self.tlsVersions(reader)
        authorization = try reader.text("authorizationHeader")
        if let authorization, !HTTPField.isValidValue(authorization) {
            throw reader.fault("authorizationHeader", "the value of a header field")
        }
    }

    /// Returns the value of the `Authorization` header in the request to a URL; `nil` if the URL has another origin than the one that the
    /// header was configured for, because a discovery document may name any server.
    func authorization(for url: String) -> String? {
        guard let configured = (keySet ?? discovery).flatMap(Origin.init(url:)), let origin = Origin(url: url) else { return nil }
        return configured.isSame(as: origin) ? authorization : nil
    }

    /// Returns the newest of the configured versions and those directly below it.
    /// Versions below a gap are omitted, since TLS is configured by a range.
    private static func tlsVersions(_ reader: ConfigurationReader) throws(ConfigurationFault) -> ClosedRange<OutboundRequest.TLSVersion>? {
        guard let names = try reader.texts("tlsVersions") else { return .tls11 ... .tls12 }
        var versions: Set<OutboundRequest.TLSVersion> = []
        for name in names {
            guard let known = spoken[name] else {
                throw reader.fault("tlsVersions", "a list of some of " + spoken.keys.sorted().joined(separator: ", "))
            }
            versions.formUnion(known)
        }
        guard let newest = versions.max() else { return nil }
        var oldest = newest
        while let older = OutboundRequest.TLSVersion(rawValue: oldest.rawValue - 1), versions.contains(older) { oldest = older }
        return oldest...newest
    }

    /// The versions that each name stands for. TLS libraries no longer support SSL (RFC 6176, RFC 7568).
    private static let spoken: [String: Set<OutboundRequest.TLSVersion>] = [
        "SSL": [], "SSLv2": [], "SSLv3": [], "TLS": [.tls1, .tls11, .tls12, .tls13], "TLSv1": [.tls1], "TLSv1.1": [.tls11],
        "TLSv1.2": [.tls12],
    ]
}
