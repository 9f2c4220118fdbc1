import Calls
import Cloud
import Cryptography
import HTTPTypes
import ObjectStore
import WireFormats

/// A customer-provided encryption key (SSE-C). It is used for the request and not stored.
/// (S3 User Guide, "Using server-side encryption with customer-provided keys (SSE-C)".)
struct CustomerKey {
    /// The names of the three headers that carry a key, for the object itself or for the source of a copy.
    ///
    /// A class, because three names are twelve words, which every read would copy.
    final class Headers: Sendable {
        let algorithm: HTTPField.Name
        let key: HTTPField.Name
        let md5: HTTPField.Name

        private init(algorithm: HTTPField.Name, key: HTTPField.Name, md5: HTTPField.Name) {
            self.algorithm = algorithm
            self.key = key
            self.md5 = md5
        }

        static let object = Headers(algorithm: .customerAlgorithm, key: .customerKey, md5: .customerKeyMD5)
        static let copySource = Headers(
            algorithm: .copySourceCustomerAlgorithm, key: .copySourceCustomerKey, md5: .copySourceCustomerKeyMD5)

        func areAbsent(from fields: HTTPFields) -> Bool {
            !fields.has(algorithm) && !fields.has(key) && !fields.has(md5)
        }
    }

    /// The key: 32 bytes, or any length if it is only compared.
    private let bytes: [UInt8]
    /// The value of the MD5 header.
    private let md5: String

    /// Parses the headers.
    /// - Parameter isCompared: whether the key is only compared with another one, so that its length is not validated.
    /// - Returns: `nil` if the client sends no key.
    /// - Throws: `InvalidArgument`, `InvalidEncryptionAlgorithmError`.
    init?(_ fields: HTTPFields, _ headers: Headers, isCompared: Bool = false) throws(S3Error) {
        guard !headers.areAbsent(from: fields) else { return nil }
        guard let algorithm = fields[headers.algorithm] else { throw Self.fault("must provide a valid encryption algorithm") }
        guard algorithm == "AES256" else {
            throw S3Error(
                .invalidEncryptionAlgorithm, nil,
                ["ArgumentName": "x-amz-server-side-encryption", "ArgumentValue": algorithm])
        }
        guard let key = fields[headers.key] else { throw Self.fault("must provide an appropriate secret key") }
        guard let md5 = fields[headers.md5] else {
            throw Self.fault("must provide the client calculated MD5 of the secret key")
        }
        guard let bytes = [UInt8](base64: key) else { throw Self.fault("must provide an appropriate secret key") }
        guard [UInt8](base64: md5) == MD5.hash(bytes) else {
            throw Self.refusal("The calculated MD5 hash of the key did not match the hash that was provided.")
        }
        guard isCompared || bytes.count == 32 else { throw Self.refusal("The secret key was invalid for the specified algorithm.") }
        self.bytes = bytes
        self.md5 = md5
    }

    private static func fault(_ demand: String) -> S3Error {
        refusal("Requests specifying Server Side Encryption with Customer provided keys \(demand).")
    }

    /// Returns the error for an invalid header. For any of the three headers S3 reports this argument name, and no value.
    private static func refusal(_ message: String) -> S3Error {
        S3Error(.invalidArgument, message, ["ArgumentName": "x-amz-server-side-encryption"])
    }

    /// Returns the encryption to store with an object. It contains a salted hash that identifies the key, and not the key.
    /// - Throws: `InternalError` if no random bytes are available.
    func encryption() throws(S3Error) -> ObjectEncryption {
        let salt: [UInt8]
        do { salt = try randomBytes(Self.saltLength) } catch { throw S3Error(failure: error) }
        return ObjectEncryption(scheme: .customer, customerKeyMD5: md5, customerKeyCheck: salt + digest(salt))
    }

    /// Whether an object was encrypted with this key.
    func opens(_ encryption: ObjectEncryption) -> Bool {
        let check = encryption.customerKeyCheck
        guard encryption.scheme == .customer, check.count > Self.saltLength else { return false }
        let salt = Array(check[..<Self.saltLength])
        return constantTimeEquals(digest(salt), Array(check[Self.saltLength...]))
    }

    private static let saltLength = 16

    private func digest(_ salt: [UInt8]) -> [UInt8] { SHA256.hash(salt + bytes) }
}
