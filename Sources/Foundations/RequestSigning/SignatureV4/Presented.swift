import HTTPTypes
package import WireFormats

extension SignatureV4 {
    /// The Signature Version 4 of a request, well-formed but not verified.
    package struct Presented: Hashable, Sendable {
        /// Where a request contains its signature.
        package enum Place: Hashable, Sendable {
            /// In the `Authorization` header.
            case header
            /// In `X-Amz-…` parameters of the query: a presigned request.
            case query
        }

        /// Where the request contains its signature.
        package var place: Place
        /// The access key identifier; never empty.
        package var accessKey: String
        /// The scope; its day is the day of ``timestamp``.
        package var scope: CredentialScope
        /// When the request says it was signed.
        package var timestamp: Timestamp
        /// How long the request says it is valid, zero to a week; `nil` in a header, and in a query without
        /// `X-Amz-Expires`, which S3 requires.
        package var expires: Duration?
        /// The names of the headers covered, in lowercase, in the order of the request.
        package var signedHeaders: [String]
        /// The signature as sent; not validated.
        package var signature: String
        /// The session token sent with the signature; not empty.
        package var sessionToken: String?

        /// Reads the signature of a request; `nil` if it has no Signature Version 4.
        /// - Parameter known: a cache of parsed headers.
        package init?(_ request: SignableRequest, known: AuthorizationCache? = nil) throws(SigningError) {
            let fields = HeaderSignature(request.fields)
            let isInQuery = request.query.items.contains { item in
                item.name == "X-Amz-Algorithm" || item.name == "X-Amz-Credential" || item.name == "X-Amz-Signature"
            }
            if let authorization = fields.authorization {
                guard !isInQuery, request.query.items.allSatisfy({ $0.name != "Signature" }) else { throw .severalMechanisms }
                if let (entry, signature) = known?.entry(for: authorization) {
                    let timestamp = try fields.timestamp()
                    if timestamp.day == entry.day {
                        self.init(entry, timestamp: timestamp, signature: signature, sessionToken: fields.sessionToken)
                        return
                    }
                }
                try self.init(authorization: authorization, fields)
                if signedHeaders.contains("host") { known?.insert(self, from: authorization) }
            } else if isInQuery {
                try self.init(request.query)
            } else {
                return nil
            }
            guard signedHeaders.contains("host") else { throw .hostNotSigned }
        }

        /// Creates the signature of a header whose text before the signature is cached.
        private init(_ known: AuthorizationCache.Entry, timestamp: Timestamp, signature: String, sessionToken: String?) {
            place = .header
            accessKey = known.accessKey
            scope = known.scope
            self.timestamp = timestamp
            signedHeaders = known.signedHeaders
            self.signature = signature
            self.sessionToken = sessionToken
        }

        /// - Parameter credential: `key/date/region/service/aws4_request`; the region may be empty.
        init(
            place: Place, credential: String, timestamp: Timestamp, expires: Duration?, signedHeaders: String,
            signature: String, sessionToken: String?
        ) throws(SigningError) {
            let parts = credential.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).map { String(Substring($0)) }
            guard parts.count == 5 else { throw .malformedCredential(credential, .parts) }
            guard !parts[0].isEmpty else { throw .malformedCredential(credential, .emptyAccessKey) }
            guard parts[4] == CredentialScope.Scheme.aws.terminator else {
                throw .malformedCredential(credential, .terminator(parts[4]))
            }
            let date = parts[1]
            let day = timestamp.dateStamp
            guard date == day else {
                let isDate = date.utf8.count == 8 && Timestamp(basic: "\(date)T000000Z") != nil
                throw isDate ? .credentialDate(date, requestDate: day) : .malformedCredential(credential, .date(date))
            }
            self.place = place
            accessKey = parts[0]
            scope = CredentialScope(date: date, region: parts[2], service: parts[3])
            self.timestamp = timestamp
            self.expires = expires
            let isLowercase = !signedHeaders.utf8.contains { 0x41...0x5A ~= $0 }
            self.signedHeaders = (isLowercase ? signedHeaders : signedHeaders.lowercased()).utf8.split(separator: 0x3B)
                .map { String(Substring($0)) }
            self.signature = signature
            self.sessionToken = sessionToken
        }

        /// Returns the names of the `x-amz-…` headers of `request` that the signature does not cover, each once, in lowercase. S3
        /// rejects a request that has any. An unsigned payload hash of a presigned request is ignored.
        package func headersNotSigned(in request: SignableRequest) -> [String] {
            var names: [String] = []
            for index in request.fields.indices {
                let name = request.fields[index].name.canonicalName
                guard name.begins(with: "x-amz-"), !signedHeaders.contains(where: { name.isSame(as: $0) }), !names.contains(name) else {
                    continue
                }
                if place == .header || name != PayloadHash.fieldName { names.append(name) }
            }
            return names
        }
    }
}
