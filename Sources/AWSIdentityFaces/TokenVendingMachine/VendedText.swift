import Cryptography
import Federation
import WireFormats

/// What the machines encrypt. It looks like JSON and is none: names have no quotation marks and tabs in front, and clients find values by
/// searching for the name and the two quotation marks behind it.
struct VendedText: Equatable {
    let text: String

    /// A device's new key.
    init(key: String) { text = "{\tkey: \"\(key)\"}" }

    init(accessKey: String, secretKey: String, securityToken: String, expires: Timestamp) {
        text =
            "{\taccessKey: \"\(accessKey)\",\tsecretKey: \"\(secretKey)\",\tsecurityToken: \"\(securityToken)\","
            + "\texpirationDate: \"\(expires.milliseconds)\"}"
    }

    /// The text under a key: AES-128 in chained blocks with the padding of PKCS #5, the initialisation vector in front, all in base 64.
    /// - Parameters:
    ///   - key: 32 hexadecimal digits.
    ///   - vector: makes an initialisation vector.
    /// - Throws: ``CryptographyError/invalidKey`` where the key is something else, which registration does not check.
    func encrypted(
        under key: String, vector: () throws(CryptographyError) -> [UInt8] = { () throws(CryptographyError) in try randomBytes(16) }
    ) throws(CryptographyError) -> String {
        guard let key = [UInt8](hex: key), key.count == 16 else { throw .invalidKey }
        return try BlockEncryption.chained(Array(text.utf8), key: key, vector: vector()).base64
    }
}
