import Calls
import HTTPTypes
import WireFormats

extension Call {
    /// The access key ID that the request's signature names, even if it is invalid; `nil` if there is none.
    var claimedKey: String? {
        let key = headers.value(of: .authorization).flatMap(Self.key(inAuthorization:)) ?? queryFields.flatMap(Self.key(in:))
        return key.flatMap { $0.isEmpty ? nil : String($0.prefix(128)) }
    }

    /// AWS and OSS version 4 put a scope after the key ID; older versions use `AWS <key>:<signature>`.
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
