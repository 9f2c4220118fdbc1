import COpenSSL

/// Returns random bytes from OpenSSL's generator, fit for keys, nonces and secrets.
/// - Throws: ``CryptographyError/noEntropy`` when the operating system returned none.
package func randomBytes(_ count: Int) throws(CryptographyError) -> [UInt8] {
    var generated = true
    let result = bytes(count) { generated = copenssl_random($0, count) == 1 }
    guard generated else { throw .noEntropy }
    return result
}
