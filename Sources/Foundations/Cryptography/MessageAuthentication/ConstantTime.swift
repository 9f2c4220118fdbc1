import COpenSSL

/// Returns whether two byte strings are equal, in a time that depends only on their lengths.
package func constantTimeEquals(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && copenssl_equal(a, b, a.count) == 1
}

/// Returns whether the UTF-8 bytes of two texts are equal, in a time that depends only on their lengths.
package func constantTimeEquals(_ a: String, _ b: String) -> Bool {
    var a = a
    var b = b
    return a.withUTF8 { a in
        b.withUTF8 { b in
            guard a.count == b.count else { return false }
            guard let left = a.baseAddress, let right = b.baseAddress else { return true }
            return copenssl_equal(left, right, a.count) == 1
        }
    }
}
