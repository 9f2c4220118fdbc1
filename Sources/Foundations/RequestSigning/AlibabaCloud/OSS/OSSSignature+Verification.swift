import Cryptography
import HTTPTypes
import WireFormats

extension OSSSignature.Presented {
    /// Verifies that the presented signature equals the one that `secret` gives for `request`.
    /// - Parameters:
    ///   - resource: the bucket and key of the request.
    ///   - key: derives the key of Version 4 for a scope; it may use a cache.
    /// - Throws: ``SignatureMismatch``.
    package func verify(
        _ request: SignableRequest, resource: OSSResource, secret: String, key: (CredentialScope) -> ScopedSigningKey
    ) throws(SignatureMismatch) {
        let computed = computation(request, resource, emptyFields: true)
        if constantTimeEquals(computed.signature(secret: secret, key: key), signature) { return }
        // The SDK for iOS sends headers without a value and omits them from what it signs.
        if request.fields.contains(where: { $0.value.isEmpty }) {
            let other = computation(request, resource, emptyFields: false)
            if constantTimeEquals(other.signature(secret: secret, key: key), signature) { return }
        }
        // Apache OpenDAL sends a bucket's name without the trailing slash, and signs it without one.
        if case .v1 = version, let bucket = resource.bucket, resource.key == nil, request.path == "/\(bucket)" {
            var resource = resource
            resource.endsWithSlash = false
            let other = computation(request, resource, emptyFields: true)
            if constantTimeEquals(other.signature(secret: secret, key: key), signature) { return }
        }
        throw SignatureMismatch(
            canonicalRequest: computed.canonicalRequest, stringToSign: computed.stringToSign, signatureProvided: signature)
    }

    /// Returns the string to sign, in the version of the signature.
    func computation(_ request: SignableRequest, _ resource: OSSResource, emptyFields: Bool) -> OSSStringToSign {
        switch (version, validity) {
        case (.v4(let scope), .signed(let time, _)), (.v4(let scope), .lasting(_, from: let time)):
            OSSStringToSign(
                version4: request, resource, scope: scope, at: time, additionalHeaders: additionalHeaders, emptyFields: emptyFields)
        case (.v2, .signed(_, let text)):
            // The SDKs for Python, Go and Java sign `Date` in Version 2, even if there is `x-oss-date`, which is then an OSS header.
            OSSStringToSign(
                older: request, resource, version, date: request.fields[.date] ?? text, additionalHeaders: additionalHeaders,
                emptyFields: emptyFields)
        case (_, .signed(_, let text)):
            OSSStringToSign(
                older: request, resource, version, date: text, additionalHeaders: additionalHeaders, emptyFields: emptyFields)
        case (_, .until(let end)), (_, .lasting(_, let end)):
            OSSStringToSign(
                older: request, resource, version, date: String(end.seconds), additionalHeaders: additionalHeaders,
                emptyFields: emptyFields)
        }
    }
}

/// The string to sign of a request in one of the versions.
struct OSSStringToSign {
    private let version: OSSSignature.Version
    /// The canonical request, in Version 4 only.
    private(set) var canonicalRequest: [UInt8]?
    private(set) var stringToSign: [UInt8] = []

    /// Creates the string to sign of Version 1 or 2. Version 1 consists of method, MD5, type, date, the OSS headers, and the resource with
    /// its sub-resources as plain text. Version 2 adds the additional headers and a line with their names, and encodes the resource with
    /// the
    /// whole query.
    /// - Parameter date: the date as sent, or for a presigned request the second in which it expires.
    init(
        older request: SignableRequest, _ resource: OSSResource, _ version: OSSSignature.Version, date: String,
        additionalHeaders: [String], emptyFields: Bool
    ) {
        self.version = version
        let fields = CoveredFields(request, and: additionalHeaders, emptyFields: emptyFields)
        stringToSign.append(line: request.method)
        stringToSign.append(line: fields.value(of: "content-md5"))
        stringToSign.append(line: fields.value(of: "content-type"))
        stringToSign.append(line: date)
        for name in fields.names where name.hasPrefix("x-oss-") || additionalHeaders.contains(name) {
            stringToSign.append(contentsOf: fields.line(of: name))
        }
        if case .v2 = version {
            stringToSign.append(line: additionalHeaders.joined(separator: ";"))
            stringToSign.append(contentsOf: percentEncoded(resource.path).utf8)
            let query = canonicalQuery(of: request.query)
            if !query.isEmpty { stringToSign.append(0x3F) }
            stringToSign.append(contentsOf: query)
        } else {
            stringToSign.append(contentsOf: resource.path.utf8)
            stringToSign.append(contentsOf: subResources(of: request.query))
        }
    }

    init(
        version4 request: SignableRequest, _ resource: OSSResource, scope: CredentialScope, at time: Timestamp,
        additionalHeaders: [String], emptyFields: Bool
    ) {
        version = .v4(scope)
        let fields = CoveredFields(request, and: additionalHeaders, emptyFields: emptyFields)
        var canonical: [UInt8] = []
        canonical.reserveCapacity(512)
        canonical.append(line: request.method)
        canonical.append(line: percentEncoded(resource.path, keepingSlash: true))
        canonical.append(contentsOf: canonicalQuery(of: request.query))
        canonical.append(0x0A)
        for name in fields.names { canonical.append(contentsOf: fields.line(of: name)) }
        canonical.append(0x0A)
        canonical.append(line: additionalHeaders.joined(separator: ";"))
        canonical.append(contentsOf: OSSSignature.unsignedPayload.utf8)
        stringToSign.append(line: OSSSignature.algorithmV4)
        stringToSign.append(line: time.basic)
        stringToSign.append(scopeLine: scope)
        stringToSign.append(hexOf: SHA256.hash(canonical))
        canonicalRequest = canonical
    }

    func signature(secret: String, key: (CredentialScope) -> ScopedSigningKey) -> String {
        switch version {
        case .v1: hmacSHA1(key: Array(secret.utf8), stringToSign).base64
        case .v2: hmacSHA256(key: Array(secret.utf8), stringToSign).base64
        case .v4(let scope): key(scope).signature(of: stringToSign)
        }
    }
}

/// The headers that a signature covers: the OSS headers, type and MD5 of the content, and the additional ones.
private struct CoveredFields {
    private var values: [String: [UInt8]] = [:]

    /// - Parameter emptyFields: whether headers without a value count.
    init(_ request: SignableRequest, and additional: [String], emptyFields: Bool) {
        for field in request.fields {
            let name = field.name.canonicalName
            guard name.hasPrefix("x-oss-") || name == "content-type" || name == "content-md5" || additional.contains(name) else {
                continue
            }
            let value = field.withUnsafeBytesOfValue { Array($0).trimmingSpace() }
            guard emptyFields || !value.isEmpty else { continue }
            if let earlier = values[name] {
                values[name] = earlier + [0x2C] + value
            } else {
                values[name] = value
            }
        }
        // A request over HTTP/2 has no `host` header.
        if additional.contains("host") { values["host"] = Array(request.authority.utf8) }
        // A covered header that was not sent counts as empty.
        for name in additional where values[name] == nil && emptyFields { values[name] = [] }
    }

    var names: [String] { values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    func value(of name: String) -> String { values[name].map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// Returns `name:value` and a line feed.
    func line(of name: String) -> [UInt8] { Array(name.utf8) + [0x3A] + (values[name] ?? []) + [0x0A] }
}

/// Returns every parameter except the signature, encoded and sorted; a parameter without a value has no `=`.
private func canonicalQuery(of query: RawQuery) -> [UInt8] {
    var parameters: [(name: [UInt8], value: [UInt8])] = []
    for item in query.items where item.name != "x-oss-signature" {
        parameters.append((normalised(item.name), normalised(item.value ?? "")))
    }
    parameters.sort { left, right in
        left.name == right.name
            ? left.value.lexicographicallyPrecedes(right.value) : left.name.lexicographicallyPrecedes(right.name)
    }
    return joined(parameters)
}

/// Returns `?` and the parameters that Version 1 counts as part of the resource, decoded and sorted; empty if there are none.
private func subResources(of query: RawQuery) -> [UInt8] {
    var parameters: [(name: [UInt8], value: [UInt8])] = []
    for item in query.items {
        guard let name = item.decodedName, signedSubResources.contains(name) else { continue }
        parameters.append((Array(name.utf8), Array((item.decodedValue ?? String(item.value ?? "")).utf8)))
    }
    guard !parameters.isEmpty else { return [] }
    parameters.sort { $0.name.lexicographicallyPrecedes($1.name) }
    return [0x3F] + joined(parameters)
}

private func joined(_ parameters: [(name: [UInt8], value: [UInt8])]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, parameter) in parameters.enumerated() {
        if index > 0 { bytes.append(0x26) }
        bytes.append(contentsOf: parameter.name)
        guard !parameter.value.isEmpty else { continue }
        bytes.append(0x3D)
        bytes.append(contentsOf: parameter.value)
    }
    return bytes
}

/// Returns a part of a query with each escape decoded once and encoded once. A part with an invalid escape stays as it was sent.
private func normalised(_ part: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    return bytes.append(normalisingQuery: part) ? bytes : Array(part.utf8)
}

extension [UInt8] {
    fileprivate func trimmingSpace() -> [UInt8] {
        guard let first, let last, first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09 else { return self }
        var trimmed = drop { $0 == 0x20 || $0 == 0x09 }
        while let last = trimmed.last, last == 0x20 || last == 0x09 { trimmed.removeLast() }
        return Array(trimmed)
    }
}
