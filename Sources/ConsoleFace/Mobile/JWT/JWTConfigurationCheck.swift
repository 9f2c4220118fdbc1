import Calls
import WireFormats

/// Finds what the relay would reject in a configuration of JWT issuers, each fault with its place, and what it would accept but match nothing
/// with. (Using Oracle Mobile Cloud Service, "JWT Tokens and Virtual Users", configuration reference.)
struct JWTConfigurationCheck {
    /// The relay rejects the tokens of an issuer with a fault.
    private(set) var faults: [FormRefusal.Fault] = []
    /// What the relay accepts, although it matches nothing or has no effect.
    private(set) var warnings: [FormRefusal.Fault] = []

    private static let texts = ["usernameAttribute", "clientIdAttribute"]
    private static let switches = ["enabled", "virtualUserEnabled", "requireClientAuth"]
    private static let lists = ["audience", "certificateSubjectNames", "defaultRoles", "issuerRoles", "roleAttributes"]
    static let timeoutPolicies = ["FromTimeoutSecs", "FromExternalToken", "FromExternalTokenLimitedByTimeoutSecs"]
    static let tlsVersions = ["SSL", "SSLv2", "SSLv3", "TLS", "TLSv1", "TLSv1.1", "TLSv1.2"]
    private static let longest: Int64 = 3_155_760_000

    /// - Parameter value: the root object.
    init(_ value: JSONValue) {
        guard let root = value.objectValue else {
            add("", "The configuration must be a JSON object.")
            return
        }
        for interval in JWTConfiguration.intervals { seconds(root, interval.name, "", least: 0) }
        guard let issuers = root["issuers"]?.arrayValue else {
            add("issuers", "must be a list of issuers.")
            return
        }
        var names: Set<String> = []
        for (index, issuer) in issuers.enumerated() { check(issuer, "issuers[\(index)]", &names) }
    }

    /// Keeps what is at some places.
    mutating func keep(_ isKept: (_ place: String) -> Bool) {
        faults = faults.filter { isKept($0.place) }
        warnings = warnings.filter { isKept($0.place) }
    }

    private mutating func add(_ place: String, _ text: String) { faults.append(.init(place: place, text: text)) }

    private mutating func warn(_ place: String, _ text: String) { warnings.append(.init(place: place, text: text)) }

    // MARK: Members

    private static func member(_ object: JSONObject, _ name: String) -> JSONValue? {
        guard let value = object[name], value != .null else { return nil }
        return value
    }

    private mutating func seconds(_ object: JSONObject, _ name: String, _ place: String, least: Int64) {
        guard let value = Self.member(object, name) else { return }
        guard let number = value.integerValue, (least...Self.longest).contains(number) else {
            return add(place + name, "must be a whole number of seconds, \(least) or more.")
        }
    }

    private mutating func text(_ object: JSONObject, _ name: String, _ place: String) {
        guard let value = Self.member(object, name), value.stringValue?.isEmpty ?? true else { return }
        add(place + name, "must be a string.")
    }

    private mutating func bool(_ object: JSONObject, _ name: String, _ place: String) {
        guard let value = Self.member(object, name), value.boolValue == nil else { return }
        add(place + name, "must be true or false.")
    }

    private mutating func list(_ object: JSONObject, _ name: String, _ place: String) {
        guard let value = Self.member(object, name) else { return }
        guard let elements = value.arrayValue, elements.allSatisfy({ $0.stringValue != nil }) else {
            return add(place + name, "must be a list of strings.")
        }
    }

    private mutating func choice(_ object: JSONObject, _ name: String, _ place: String, _ known: [String]) {
        guard let value = Self.member(object, name), !(value.stringValue.map(known.contains) ?? false) else { return }
        add(place + name, "must be one of \(known.joined(separator: ", ")).")
    }

    // MARK: Issuers

    private mutating func check(_ value: JSONValue, _ place: String, _ names: inout Set<String>) {
        guard let issuer = value.objectValue else { return add(place, "must be an object.") }
        let dot = "\(place)."
        if let name = issuer["issuerName"]?.stringValue, !name.isEmpty {
            if !names.insert(name).inserted { add(dot + "issuerName", "must not be the name of another issuer.") }
        } else {
            add(dot + "issuerName", "must be a string: the iss of the tokens.")
        }
        for name in Self.texts { text(issuer, name, dot) }
        for name in Self.switches { bool(issuer, name, dot) }
        for name in Self.lists where name != "certificateSubjectNames" || Self.member(issuer, "jwks") == nil { list(issuer, name, dot) }
        seconds(issuer, "tokenTimeoutSeconds", dot, least: 1)
        choice(issuer, "tokenTimeoutPolicy", dot, Self.timeoutPolicies)
        choice(issuer, "userMappingAttribute", dot, ["uid", "mail"])
        keys(issuer, dot)
        filters(issuer, dot)
        backends(issuer, dot)
        mappings(issuer, dot)
        if issuer["enabled"]?.boolValue == false { warn(dot + "enabled", "The issuer is disabled: every exchange fails.") }
    }

    private mutating func keys(_ issuer: JSONObject, _ place: String) {
        guard let value = Self.member(issuer, "jwks") else {
            if issuer.texts("certificateSubjectNames").isEmpty {
                warn(place + "jwks", "There are neither jwks nor certificateSubjectNames: no signature can be verified.")
            }
            return
        }
        guard let jwks = value.objectValue else { return add(place + "jwks", "must be an object.") }
        let dot = "\(place)jwks."
        text(jwks, "discoveryUri", dot)
        text(jwks, "jwksUri", dot)
        text(jwks, "authorizationHeader", dot)
        bool(jwks, "allowHttp", dot)
        for name in ["minReloadInterval", "maxReloadInterval"] { seconds(jwks, name, dot, least: 0) }
        for name in ["connectTimeout", "readTimeout"] { seconds(jwks, name, dot, least: 1) }
        if Self.member(jwks, "discoveryUri") == nil, Self.member(jwks, "jwksUri") == nil {
            add(dot + "jwksUri", "must be present if discoveryUri is absent.")
        }
        if let versions = Self.member(jwks, "tlsVersions") {
            guard let names = versions.arrayValue?.map(\.stringValue), names.allSatisfy({ $0.map(Self.tlsVersions.contains) ?? false })
            else {
                return add(dot + "tlsVersions", "must be a list of some of \(Self.tlsVersions.joined(separator: ", ")).")
            }
            if !names.contains(where: { $0?.hasPrefix("TLS") == true }) {
                warn(dot + "tlsVersions", "No TLS library speaks SSL any more: the keys cannot be fetched.")
            }
        }
        let isPlain = ["discoveryUri", "jwksUri"].contains { jwks.string($0).hasPrefix("http:") }
        if isPlain, jwks["allowHttp"]?.boolValue != true { warn(dot + "allowHttp", "is off, so the http: address is not fetched.") }
    }

    private mutating func filters(_ issuer: JSONObject, _ place: String) {
        guard let value = Self.member(issuer, "filters") else { return }
        guard let filters = value.arrayValue else { return add(place + "filters", "must be a list.") }
        for (index, filter) in filters.enumerated() {
            guard let reason = Self.breakage(of: filter) else { continue }
            warn(
                "\(place)filters[\(index)]",
                "This filter is broken: \(reason). It matches nothing, so every token of the issuer is rejected.")
        }
    }

    /// Returns why a filter is never satisfied; `nil` if it can be.
    static func breakage(of filter: JSONValue) -> String? {
        guard let members = filter.objectValue else { return "it is not an object" }
        if members.string("name").isEmpty { return "name is missing" }
        let values = members["values"]?.arrayValue ?? []
        if values.isEmpty { return "values is missing or empty" }
        if !values.allSatisfy({ $0.stringValue != nil }) { return "values must be strings" }
        let type = member(members, "type")
        return type == nil || type == "include" || type == "exclude" ? nil : "type must be include or exclude"
    }

    private mutating func backends(_ issuer: JSONObject, _ place: String) {
        guard let value = Self.member(issuer, "allowedMbes") else { return }
        guard let entries = value.arrayValue else { return add(place + "allowedMbes", "must be a list.") }
        if entries.isEmpty { warn(place + "allowedMbes", "The list is empty: no backend may use tokens of the issuer.") }
        for (index, entry) in entries.enumerated() {
            let isNamed = entry["name"]?.stringValue != nil && entry["version"]?.stringValue != nil && entry["clientId"] == nil
            let isClient = entry["clientId"]?.stringValue != nil && entry["name"] == nil && entry["version"] == nil
            if !isNamed, !isClient {
                warn("\(place)allowedMbes[\(index)]", "needs name and version, or clientId alone. It matches no backend.")
            }
        }
    }

    private mutating func mappings(_ issuer: JSONObject, _ place: String) {
        guard let value = Self.member(issuer, "roleMappings") else { return }
        guard let mappings = value.arrayValue else { return add(place + "roleMappings", "must be a list.") }
        for (index, mapping) in mappings.enumerated() {
            let dot = "\(place)roleMappings[\(index)]."
            guard let members = mapping.objectValue else {
                add(String(dot.dropLast()), "must be an object.")
                continue
            }
            if members.string("tokenRole").isEmpty { add(dot + "tokenRole", "must be a string: the role in the token.") }
            guard let roles = Self.member(members, "mappedRoles")?.arrayValue, roles.allSatisfy({ $0.stringValue != nil }) else {
                add(dot + "mappedRoles", "must be a list of strings.")
                continue
            }
        }
    }
}
