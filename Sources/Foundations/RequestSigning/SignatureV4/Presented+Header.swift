import HTTPTypes
import WireFormats

/// The headers of a header-signed request that concern the signature.
struct HeaderSignature {
    var authorization: String?
    var amzDate: String?
    var date: String?
    var sessionToken: String?

    /// Picks the fields. An `Authorization` of another kind counts as absent, and so does an empty session token.
    /// - Parameters:
    ///   - scheme: the beginning of `Authorization`.
    ///   - ignoresEmptyDates: whether an empty date counts as absent; otherwise it is one that cannot be read.
    init(_ fields: HTTPFields, scheme: StaticString = "AWS4-", ignoresEmptyDates: Bool = true) {
        for index in fields.indices {
            let name = fields[index].name.canonicalName
            if name.isSame(as: "authorization") {
                if fields[index].value.begins(with: scheme) { authorization = fields[index].value }
            } else if name.isSame(as: "x-amz-date") {
                if !ignoresEmptyDates || !fields[index].value.isEmpty { amzDate = fields[index].value }
            } else if name.isSame(as: "date") {
                if !ignoresEmptyDates || !fields[index].value.isEmpty { date = fields[index].value }
            } else if name.isSame(as: "x-amz-security-token") {
                if !fields[index].value.isEmpty { sessionToken = fields[index].value }
            }
        }
    }

    func timestamp() throws(SigningError) -> Timestamp {
        guard let text = amzDate ?? date else { throw .missingDate }
        guard let timestamp = Timestamp(basic: text) ?? Timestamp(httpDate: text) else { throw .malformedDate(text) }
        return timestamp
    }
}

extension SignatureV4.Presented {
    /// Reads `AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…`, with or without spaces after the commas.
    /// - Parameter algorithm: the expected algorithm.
    init(
        authorization: String, _ fields: HeaderSignature, algorithm: String = SignatureV4.algorithm
    ) throws(SigningError) {
        let words = authorization.utf8
        let space = words.firstIndex(of: 0x20) ?? words.endIndex
        guard words[..<space].elementsEqual(algorithm.utf8) else {
            throw .unsupportedAlgorithm(String(authorization[..<space]))
        }
        var credential: String?
        var signedHeaders: String?
        var signature: String?
        for part in words[space...].split(separator: 0x2C) {
            var component = part.drop { $0 == 0x20 }
            while component.last == 0x20 { component.removeLast() }
            guard let equals = component.firstIndex(of: 0x3D) else {
                throw .malformedComponent(String(Substring(component)))
            }
            let value = String(Substring(component[equals...].dropFirst()))
            let isRepeated: Bool
            switch Substring(component[..<equals]) {
            case "Credential": (isRepeated, credential) = (credential != nil, value)
            case "SignedHeaders": (isRepeated, signedHeaders) = (signedHeaders != nil, value)
            case "Signature": (isRepeated, signature) = (signature != nil, value)
            default: continue
            }
            if isRepeated { throw .malformedComponent(String(Substring(component))) }
        }
        guard let credential, let signedHeaders, let signature, !credential.isEmpty, !signedHeaders.isEmpty, !signature.isEmpty
        else {
            let components = [("Credential", credential), ("SignedHeaders", signedHeaders), ("Signature", signature)]
            throw .missingComponents(components.filter { $0.1?.isEmpty ?? true }.map(\.0))
        }
        try self.init(
            place: .header, credential: credential, timestamp: try fields.timestamp(), expires: nil,
            signedHeaders: signedHeaders, signature: signature, sessionToken: fields.sessionToken)
    }
}
