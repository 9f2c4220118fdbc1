import Calls
import HTTPTypes
import WireFormats

extension Call {
    /// The access key that a request names in its signature, which need not be good; nil for a request that names none.
    var claimedKey: String? {
        let key = headers.value(of: .authorization).flatMap(Self.key(inAuthorization:)) ?? FormFields(parsing: query).flatMap(Self.key(in:))
        return key.flatMap { $0.isEmpty ? nil : String($0.prefix(128)) }
    }

    /// Version 4 of AWS and of OSS name a scope after the key; the older versions write `AWS <key>:<signature>`.
    private static func key(inAuthorization field: String) -> String? {
        if let mark = field.firstRange(of: "Credential=") { return String(field[mark.upperBound...].prefix { $0 != "/" && $0 != "," }) }
        for scheme in ["AWS ", "OSS "] where field.hasPrefix(scheme) { return String(field.dropFirst(scheme.count).prefix { $0 != ":" }) }
        return nil
    }

    private static func key(in query: FormFields) -> String? {
        for name in ["X-Amz-Credential", "x-oss-credential"] {
            if let scope = query.first(name) { return String(scope.prefix { $0 != "/" }) }
        }
        return query.first("AWSAccessKeyId") ?? query.first("OSSAccessKeyId") ?? query.first("AccessKeyId")
    }
}
