import Federation
import HTTPTypes
import WireFormats

/// Where an issuer publishes its keys, and how it is asked. (Using Oracle Mobile Cloud Service, configuration reference, `jwks`.)
struct PublishedKeys: Hashable, Sendable {
    /// That of a discovery document; absent where ``keySet`` alone is known.
    var discovery: String?
    /// That of the key set; absent where the discovery document says it.
    var keySet: String?
    var allowsHTTP: Bool
    var reload: ReloadInterval
    /// Seconds.
    var connectTimeout: Int
    var readTimeout: Int
    /// `nil` if none of the configured versions is spoken any more.
    var tlsVersions: ClosedRange<OutboundRequest.TLSVersion>?
    /// The value of `Authorization` in what is asked.
    var authorization: String?

    init(_ reader: ConfigurationReader) throws(ConfigurationFault) {
        discovery = try reader.text("discoveryUri")
        keySet = try reader.text("jwksUri")
        guard discovery != nil || keySet != nil else { throw reader.fault("jwksUri", "there where discoveryUri is not") }
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

    /// The newest of the configured versions and those next to it. A gap cannot be asked for; what is beyond it is left out, since each of
    /// the others is allowed.
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

    /// What each name means. No library speaks SSL any more (RFC 6176, RFC 7568).
    private static let spoken: [String: Set<OutboundRequest.TLSVersion>] = [
        "SSL": [], "SSLv2": [], "SSLv3": [], "TLS": [.tls1, .tls11, .tls12, .tls13], "TLSv1": [.tls1], "TLSv1.1": [.tls11],
        "TLSv1.2": [.tls12],
    ]
}
