import Calls
import HTTPTypes
import WireFormats

/// A path of the metadata service: a version, and an item below it.
struct MetadataPath: Sendable {
    /// `latest`, or the date of a version.
    let version: String
    /// The path below the version, without slashes at its ends.
    let item: String

    /// - Returns: `nil` for paths that the metadata service does not have.
    init?(_ path: String) {
        guard path.hasPrefix("/") else { return nil }
        let rest = path.dropFirst()
        let version = rest.prefix { $0 != "/" }
        guard Self.isVersion(version) else { return nil }
        var item = rest.dropFirst(version.count)
        while item.hasPrefix("/") { item = item.dropFirst() }
        while item.hasSuffix("/") { item = item.dropLast() }
        let root = item.prefix { $0 != "/" }
        guard Self.roots.contains(String(root)) || item == Self.token else { return nil }
        self.version = String(version)
        self.item = String(item)
    }

    static let token = "api/token"
    private static let roots: Set<String> = ["meta-data", "dynamic", "user-data"]

    /// Whether a segment is `latest`, `1.0` or a date.
    private static func isVersion(_ text: Substring) -> Bool {
        if text == "latest" || text == "1.0" { return true }
        let bytes = Array(text.utf8)
        return bytes.count == 10
            && bytes.indices.allSatisfy { [4, 7].contains($0) ? bytes[$0] == UInt8(ascii: "-") : (0x30...0x39).contains(bytes[$0]) }
    }

    /// Returns whether a request with the path is for an instance of AWS. Alibaba Cloud's metadata has the same path for tokens, with another
    /// header, and `meta-data/ram/`.
    func isForInstance(_ method: HTTPRequest.Method, _ headers: HTTPFields) -> Bool {
        if item == Self.token { return method == .put && (headers.has(.metadataTokenLifetime) || !headers.has(.alibabaTokenLifetime)) }
        guard method == .get || method == .head else { return false }
        return item != "meta-data/ram" && !item.hasPrefix("meta-data/ram/")
    }
}

extension HTTPField.Name {
    /// The token of a request to the metadata service.
    static let metadataToken = HTTPField.Name(literal: "X-aws-ec2-metadata-token")
    /// The lifetime of a token in seconds.
    static let metadataTokenLifetime = HTTPField.Name(literal: "X-aws-ec2-metadata-token-ttl-seconds")
    fileprivate static let alibabaTokenLifetime = HTTPField.Name(literal: "X-aliyun-ecs-metadata-token-ttl-seconds")
    static let forwardedFor = HTTPField.Name(literal: "X-Forwarded-For")
}
