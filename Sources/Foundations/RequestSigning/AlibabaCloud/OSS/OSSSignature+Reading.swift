import HTTPTypes
import WireFormats

extension OSSSignature.Presented {
    /// Reads the signature of a request; `nil` for an anonymous one. A header takes precedence over a query, as with the real service.
    package init?(_ request: SignableRequest) throws(OSSSignatureError) {
        let fields = Fields(request.fields)
        if let authorization = fields.authorization {
            try self.init(authorization: authorization, fields)
            return
        }
        let parameters = Parameters(request.query)
        if parameters["x-oss-signature-version"] ?? parameters["x-oss-credential"] ?? parameters["x-oss-signature"] != nil {
            try self.init(newer: parameters)
        } else if parameters["OSSAccessKeyId"] ?? parameters["Signature"] != nil {
            try self.init(older: parameters)
        } else {
            return nil
        }
    }

    private init(authorization: String, _ fields: Fields) throws(OSSSignatureError) {
        if let rest = authorization.text(after: OSSSignature.algorithmV4 + " ") {
            try self.init(version4: rest, authorization, fields)
        } else if let rest = authorization.text(after: "OSS2 ") {
            let parts = try Self.components(of: rest, separator: 0x3A, ["AccessKeyId", "AdditionalHeaders", "Signature"], authorization)
            guard let accessKey = parts["AccessKeyId"], let signature = parts["Signature"], !accessKey.isEmpty else {
                throw .malformedAuthorization(authorization)
            }
            self.init(
                version: .v2, accessKey: accessKey, validity: try fields.dated(basic: false),
                additionalHeaders: Self.names(parts["AdditionalHeaders"]), signature: signature, sessionToken: fields.sessionToken)
        } else if let rest = authorization.text(after: "OSS ") {
            let parts = rest.utf8.split(separator: 0x3A, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .malformedAuthorization(authorization) }
            self.init(
                version: .v1, accessKey: String(Substring(parts[0])), validity: try fields.dated(basic: false),
                signature: String(Substring(parts[1])), sessionToken: fields.sessionToken ?? fields.misnamedToken)
        } else {
            throw .malformedAuthorization(authorization)
        }
    }

    /// Reads `Credential=…,AdditionalHeaders=…,Signature=…` in any order, with or without spaces.
    private init(version4 text: Substring, _ authorization: String, _ fields: Fields) throws(OSSSignatureError) {
        let parts = try Self.components(of: text, separator: 0x3D, ["Credential", "AdditionalHeaders", "Signature"], authorization)
        guard let credential = parts["Credential"], let signature = parts["Signature"] else {
            throw .malformedAuthorization(authorization)
        }
        guard fields.payloadHash == OSSSignature.unsignedPayload else { throw .payloadHash(fields.payloadHash) }
        let validity = try fields.dated(basic: true)
        guard case .signed(let time, _) = validity else { throw .missingDate }
        let (accessKey, scope) = try Self.credential(credential, at: time)
        self.init(
            version: .v4(scope), accessKey: accessKey, validity: validity, additionalHeaders: Self.names(parts["AdditionalHeaders"]),
            signature: signature, sessionToken: fields.sessionToken)
    }

    /// Reads a query of Version 2 or 4.
    private init(newer parameters: Parameters) throws(OSSSignatureError) {
        let version = try parameters.require(["x-oss-signature-version"])[0]
        switch version {
        case OSSSignature.algorithmV4:
            let values = try parameters.require(["x-oss-credential", "x-oss-date", "x-oss-expires", "x-oss-signature"])
            guard let time = Timestamp(basic: values[1]) else { throw .malformedDate(values[1]) }
            let (accessKey, scope) = try Self.credential(values[0], at: time)
            guard let seconds = Int64(decimal: values[2]) else { throw .malformedExpires(values[2]) }
            guard 1...604_800 ~= seconds else { throw .expiresOutOfRange(values[2]) }
            self.init(
                version: .v4(scope), accessKey: accessKey, validity: .lasting(.seconds(seconds), from: time),
                additionalHeaders: Self.names(parameters["x-oss-additional-headers"]), signature: values[3],
                sessionToken: parameters["x-oss-security-token"])
        case OSSSignature.algorithmV2:
            let values = try parameters.require(["x-oss-access-key-id", "x-oss-expires", "x-oss-signature"])
            guard let seconds = Int64(digits: values[1]) else { throw .malformedExpires(values[1]) }
            self.init(
                version: .v2, accessKey: values[0], validity: .until(Timestamp(seconds: seconds)),
                additionalHeaders: Self.names(parameters["x-oss-additional-headers"]), signature: values[2],
                sessionToken: parameters["security-token"])
        default: throw .unknownVersion(version)
        }
    }

    /// Reads a query of Version 1.
    private init(older parameters: Parameters) throws(OSSSignatureError) {
        let values = try parameters.require(["OSSAccessKeyId", "Expires", "Signature"])
        guard let seconds = Int64(digits: values[1]) else { throw .malformedExpires(values[1]) }
        self.init(
            version: .v1, accessKey: values[0], validity: .until(Timestamp(seconds: seconds)), signature: values[2],
            sessionToken: parameters["security-token"])
    }

    /// Splits a credential from its right end, because an access key may contain slashes.
    static func credential(_ text: String, at time: Timestamp) throws(OSSSignatureError) -> (accessKey: String, scope: CredentialScope) {
        let parts = text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).map { String(Substring($0)) }
        guard parts.count >= 5 else { throw .malformedCredential(text, .parts) }
        let accessKey = parts.dropLast(4).joined(separator: "/")
        let tail = Array(parts.suffix(4))
        guard !accessKey.isEmpty else { throw .malformedCredential(text, .emptyAccessKey) }
        guard tail[3] == CredentialScope.Scheme.alibabaCloud.terminator else { throw .malformedCredential(text, .terminator(tail[3])) }
        guard tail[0] == time.dateStamp else { throw .credentialDate(tail[0], requestDate: time.dateStamp) }
        return (accessKey, CredentialScope(date: tail[0], region: tail[1], service: tail[2], scheme: .alibabaCloud))
    }

    /// Reads an unordered, comma-separated list of `name<separator>value`. Only known names are allowed, each once.
    private static func components(
        of text: Substring, separator: UInt8, _ known: [String], _ authorization: String
    ) throws(OSSSignatureError) -> [String: String] {
        var found: [String: String] = [:]
        for part in text.utf8.split(separator: 0x2C, omittingEmptySubsequences: false) {
            let part = part.trimmingSpace()
            guard let end = part.firstIndex(of: separator) else { throw .malformedAuthorization(authorization) }
            let name = String(Substring(part[..<end]))
            guard known.contains(name), found[name] == nil else { throw .malformedAuthorization(authorization) }
            found[name] = String(Substring(part[end...].dropFirst()))
        }
        return found
    }

    /// Returns the names of `a;b`, each once.
    private static func names(_ list: String?) -> [String] {
        guard let list, !list.isEmpty else { return [] }
        let names = list.lowercased().utf8.split(separator: 0x3B).map { String(Substring($0)) }
        return Set(names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

/// The headers of a request that concern its signature.
private struct Fields {
    var authorization: String?
    var ossDate: String?
    var date: String?
    var payloadHash: String?
    var sessionToken: String?
    /// The name that Version 2 of the SDK for Python uses for the token when it signs in Version 1. It leaves this header unsigned.
    var misnamedToken: String?

    init(_ fields: HTTPFields) {
        for field in fields {
            switch field.name.canonicalName {
            case "authorization" where !field.value.isEmpty: authorization = field.value
            case "x-oss-date" where !field.value.isEmpty: ossDate = field.value
            case "date" where !field.value.isEmpty: date = field.value
            case "x-oss-content-sha256": payloadHash = field.value
            case "x-oss-security-token" where !field.value.isEmpty: sessionToken = field.value
            case "security-token" where !field.value.isEmpty: misnamedToken = field.value
            default: break
            }
        }
    }

    /// Returns when the request says it was signed: `x-oss-date`, or else `Date`. Only the SDK for Android sends `Date` in Version 4.
    func dated(basic: Bool) throws(OSSSignatureError) -> OSSSignature.Validity {
        guard let text = ossDate ?? date else { throw .missingDate }
        guard let time = (basic ? Timestamp(basic: text) : nil) ?? Timestamp(httpDate: text) else { throw .malformedDate(text) }
        return .signed(time, text: text)
    }
}

/// The parameters of a query that may belong to a signature; an empty value counts as absent.
private struct Parameters {
    private var values: [String: String] = [:]

    init(_ query: RawQuery) {
        for item in query.items {
            guard let name = item.decodedName, Self.names.contains(name), values[name] == nil, let value = item.decodedValue,
                !value.isEmpty
            else { continue }
            values[name] = value
        }
    }

    subscript(name: String) -> String? { values[name] }

    func require(_ names: [String]) throws(OSSSignatureError) -> [String] {
        let found = names.compactMap { values[$0] }
        guard found.count == names.count else { throw .missingParameters(names.filter { values[$0] == nil }) }
        return found
    }

    private static let names: Set = [
        "Expires", "OSSAccessKeyId", "Signature", "security-token", "x-oss-access-key-id", "x-oss-additional-headers", "x-oss-credential",
        "x-oss-date", "x-oss-expires", "x-oss-security-token", "x-oss-signature", "x-oss-signature-version",
    ]
}

extension String {
    /// Returns the text after a prefix, or `nil` if the text does not start with it.
    fileprivate func text(after beginning: String) -> Substring? {
        hasPrefix(beginning) ? self[utf8.index(startIndex, offsetBy: beginning.utf8.count)...] : nil
    }
}

extension Substring.UTF8View {
    func trimmingSpace() -> Substring.UTF8View {
        var trimmed = drop { $0 == 0x20 || $0 == 0x09 }
        while let last = trimmed.last, last == 0x20 || last == 0x09 { trimmed.removeLast() }
        return trimmed
    }
}
