import WireFormats

extension SignatureV4.Presented {
    /// Reads the `X-Amz-…` parameters of a presigned request.
    init(_ query: RawQuery) throws(SigningError) {
        func parameter(_ name: String) -> String? {
            guard let value = query[name]?.decodedValue, !value.isEmpty else { return nil }
            return value
        }
        if let algorithm = parameter("X-Amz-Algorithm"), algorithm != SignatureV4.algorithm {
            throw .unsupportedAlgorithm(algorithm)
        }
        let required = ["X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-SignedHeaders", "X-Amz-Signature"]
        guard let credential = parameter("X-Amz-Credential"), let date = parameter("X-Amz-Date"),
            let signedHeaders = parameter("X-Amz-SignedHeaders"), let signature = parameter("X-Amz-Signature"),
            parameter("X-Amz-Algorithm") != nil
        else { throw .missingParameters(required.filter { parameter($0) == nil }) }
        guard let timestamp = Timestamp(basic: date) else { throw .malformedDate(date) }
        try self.init(
            place: .query, credential: credential, timestamp: timestamp, expires: try Self.expires(query["X-Amz-Expires"]),
            signedHeaders: signedHeaders, signature: signature, sessionToken: parameter("X-Amz-Security-Token"))
    }

    /// Parses a number of seconds from zero to a week.
    private static func expires(_ item: RawQuery.Item?) throws(SigningError) -> Duration? {
        guard let item else { return nil }
        let text = item.decodedValue ?? String(item.value ?? "")
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { throw .malformedExpires(text) }
        guard !isNegative else { throw .negativeExpires }
        guard let seconds = Int64(digits), seconds <= 604_800 else { throw .excessiveExpires }
        return .seconds(seconds)
    }
}
