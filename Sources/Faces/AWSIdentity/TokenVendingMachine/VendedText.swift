import Cryptography
import Federation
import WireFormats

/// The text that the machines encrypt. It resembles JSON but is not: names have a leading tab and no quotation marks. Clients find a value
/// by searching for its name and the two quotation marks after it.
struct VendedText: Equatable {
    let text: String

    /// Creates the text with a device's new key.
    init(key: String) { text = "{\tkey: \"\(key)\"}" }

    init(accessKey: String, secretKey: String, securityToken: String, expires: Timestamp) {
        text =
            "{\taccessKey: \"\(accessKey)\",\tsecretKey: \"\(secretKey)\",\tsecurityToken: \"\(securityToken)\","
            + "\texpirationDate: \"\(expires.milliseconds)\"}"
    }

    /// Returns the text encrypted with a key: AES-128 in CBC mode with PKCS #5 padding, after the initialization vector, all in base 64.
    /// - Parameters:
    ///   - key: 32 hexadecimal digits.
    ///   - vector: makes an initialization vector.
    /// - Throws: ``CryptographyError/invalidKey`` if the key has another form, which registration does not check.
    func encrypted(
        under key: String, vector: () throws(CryptographyError) -> [UInt8] = { () throws(CryptographyError) in try randomBytes(16) }
    ) throws(CryptographyError) -> String {
        guard let key = [UInt8](hex: key), key.count == 16 else { throw .invalidKey }
        return try BlockEncryption.chained(Array(text.utf8), key: key, vector: vector()).base64
    }
}
