import WireFormats

/// The place of a page of the store: what is in its URL.
struct StoreLocation: Sendable {
    /// The bucket; `nil` for the list of buckets.
    var bucket: String?
    /// The key of an object; `nil` for a listing.
    var key: String?
    /// The version of the object; `nil` for the current one.
    var version: String?
    var prefix = ""
    /// The identity that acts: an ARN, a temporary access key, `anonymous`, or empty for the root user.
    var identity = ""
    /// Further parameters.
    var options: FormFields = [:]

    init(bucket: String? = nil, identity: String = "") { (self.bucket, self.identity) = (bucket, identity) }

    /// Reads the location of a page.
    init(bucket: String?, _ query: FormFields) {
        self.bucket = bucket
        key = query.value("key")
        version = query.value("version")
        prefix = query.first("prefix") ?? ""
        identity = query.first("as") ?? ""
        options.fields = query.fields.filter { ["view", "token", "who"].contains($0.name) && !$0.value.isEmpty }
    }

    subscript(option: String) -> String? { options.value(option) }

    /// The parameters, without the identity if it is the root user.
    var query: FormFields {
        var query: FormFields = [:]
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { query.fields.append(.init(name: name, value: value)) }
        }
        if key == nil { add("prefix", prefix) }
        add("key", key)
        add("version", version)
        add("as", identity)
        query.fields += options.fields
        return query
    }

    /// The URL of the page.
    var path: String {
        let base = Visit.path("/store" + (bucket.map { "/\(percentEncoded($0))" } ?? ""))
        return query.fields.isEmpty ? base : "\(base)?\(query.queryEncoded)"
    }

    /// Returns the location of a listing in the same bucket.
    func folder(_ prefix: String) -> StoreLocation {
        var location = StoreLocation(bucket: bucket, identity: identity)
        location.prefix = prefix
        return location
    }

    /// Returns the location of an object in the same bucket.
    func object(_ key: String, version: String? = nil) -> StoreLocation {
        var location = StoreLocation(bucket: bucket, identity: identity)
        (location.key, location.version) = (key, version)
        return location
    }

    /// Returns the same location with one parameter.
    func with(_ option: String, _ value: String?) -> StoreLocation {
        var location = self
        location.options.fields.removeAll { $0.name == option }
        if let value { location.options.fields.append(.init(name: option, value: value)) }
        return location
    }

    /// Returns the same location as another identity.
    func acting(as identity: String) -> StoreLocation {
        var location = self
        location.identity = identity
        return location
    }

    /// Returns the URL of the object's content.
    func content(isDownload: Bool) -> String {
        var query = self.query
        query.fields.removeAll { ["view", "token", "who"].contains($0.name) }
        query.fields.insert(.init(name: "bucket", value: bucket ?? ""), at: 0)
        if isDownload { query.fields.append(.init(name: "download", value: "1")) }
        return "\(Visit.path("/store/preview"))?\(query.queryEncoded)"
    }

    /// The folder that contains the object.
    var parent: String {
        guard let key, let slash = key.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(key[...slash])
    }

    /// The target of a request for the bucket or object.
    func target(_ query: FormFields = [:]) -> String {
        let path = "/\(percentEncoded(bucket ?? ""))" + (key.map { "/\(percentEncoded($0, keepingSlash: true))" } ?? "")
        return query.fields.isEmpty ? path : "\(path)?\(query.queryEncoded)"
    }

    /// Returns the target with a subresource, such as `?tagging`.
    func target(subresource: String, _ query: FormFields = [:]) -> String {
        target() + "?" + subresource + (query.fields.isEmpty ? "" : "&\(query.queryEncoded)")
    }

    /// The parameter that selects the version.
    var versionQuery: FormFields { version.map { ["versionId": $0] } ?? [:] }
}
