/// How an object is said to be encrypted. The bytes themselves are not: see `Sources/DECISIONS.md`.
/// (S3 User Guide, "Protecting data with server-side encryption".)
package struct ObjectEncryption: Hashable, Sendable {
    /// The kinds of server-side encryption.
    package enum Scheme: UInt8, Hashable, Sendable {
        /// By keys of the store; what an object without a record of this kind has.
        case store = 1
        /// By a key of the key management service.
        case keyService
        /// Twice, by keys of the key management service.
        case keyServiceTwice
        /// By a key that the client sends with each request.
        case customer
        /// By keys of the store, with the cipher SM4.
        case storeSM4
        /// By a key of the key management service, with the cipher SM4.
        case keyServiceSM4
    }

    /// The kind of encryption.
    package var scheme: Scheme
    /// The name of the key, for the key management service.
    package var keyID: String?
    /// The encryption context as the client gave it.
    package var context: String?
    /// Whether a key of the bucket saves calls to the key service.
    package var usesBucketKey: Bool
    /// MD5 of the client's key, in base 64 as the client gave it.
    package var customerKeyMD5: String?
    /// A salted digest of the client's key, which later requests must have too.
    package var customerKeyCheck: [UInt8]

    package init(
        scheme: Scheme, keyID: String? = nil, context: String? = nil, usesBucketKey: Bool = false,
        customerKeyMD5: String? = nil, customerKeyCheck: [UInt8] = []
    ) {
        self.scheme = scheme
        self.keyID = keyID
        self.context = context
        self.usesBucketKey = usesBucketKey
        self.customerKeyMD5 = customerKeyMD5
        self.customerKeyCheck = customerKeyCheck
    }
}
