import HTTPTypes
import WireFormats

extension SignatureV2.Presented {
    private static let scheme: StaticString = "AWS "

    /// Reads what a request presents; `nil` where it presents no Signature V2 at all.
    package init?(_ request: SignableRequest) throws(SignatureV2Error) {
        let fields = HeaderSignature(request.fields, scheme: Self.scheme, ignoresEmptyDates: false)
        let query = Parameters(request.query)
        if let authorization = fields.authorization {
            guard query.signature == nil else { throw .severalMechanisms }
            try self.init(authorization: authorization, fields)
        } else if query.signature != nil || query.accessKey != nil {
            try self.init(query)
        } else {
            return nil
        }
    }

    /// Reads `AWS key:signature`.
    private init(authorization: String, _ fields: HeaderSignature) throws(SignatureV2Error) {
        let credential = authorization.utf8.dropFirst(Self.scheme.utf8CodeUnitCount)
        guard credential.first != 0x20 else { throw .severalSpaces(authorization) }
        let parts = credential.split(separator: 0x3A, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { throw .malformedAuthorization(authorization) }
        guard let text = fields.amzDate ?? fields.date, let moment = Self.date(text) else { throw .invalidDate }
        self.init(
            accessKey: String(Substring(parts[0])), signature: String(Substring(parts[1])),
            validity: .signed(moment, text: text), sessionToken: fields.sessionToken,
            // An `x-amz-date` header is signed among the `x-amz-` headers; the date line is then empty.
            dateLine: fields.amzDate == nil ? text : "")
    }

    private init(_ query: Parameters) throws(SignatureV2Error) {
        guard let accessKey = query.accessKey, let signature = query.signature, let expires = query.expires else {
            throw .missingParameters
        }
        guard let seconds = Int32(decimal: expires) else { throw .malformedExpires(expires) }
        self.init(
            accessKey: accessKey, signature: signature, validity: .until(Timestamp(seconds: Int64(seconds))),
            sessionToken: query.sessionToken, dateLine: expires)
    }

    private static func date(_ text: String) -> Timestamp? {
        guard let moment = Timestamp(httpDate: text) ?? Timestamp(basic: text) ?? Timestamp(iso8601: text),
            moment.seconds >= 0
        else { return nil }
        return moment
    }
}

/// The parameters of a presigned request.
private struct Parameters {
    var accessKey: String?
    var signature: String?
    var expires: String?
    var sessionToken: String?

    init(_ query: RawQuery) {
        for item in query.items {
            guard let name = item.decodedName else { continue }
            switch name {
            case "AWSAccessKeyId": accessKey = item.decodedValue
            case "Signature": signature = item.decodedValue
            case "Expires": expires = item.decodedValue
            default:
                guard name.lowercased() == "x-amz-security-token" else { continue }
                sessionToken = item.decodedValue.flatMap { $0.isEmpty ? nil : $0 }
            }
        }
    }
}
