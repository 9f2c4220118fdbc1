import ObjectServing
import WireFormats

/// Where a listing goes on, as an opaque text: the last key before, with a check so that no other text passes for one.
enum ContinuationToken {
    static func token(after key: String) -> String {
        let bytes = Array(key.utf8)
        return (check(bytes) + bytes).base64url
    }

    /// - Throws: `InvalidArgument` for a text that is no token.
    static func key(of token: String) throws(S3Error) -> String {
        guard let bytes = [UInt8](base64url: token), bytes.count >= 4, Array(bytes.prefix(4)) == check(Array(bytes.dropFirst(4))),
            let key = String(validating: bytes.dropFirst(4), as: UTF8.self)
        else {
            throw S3Error(
                .invalidArgument, "The continuation token provided is incorrect", ["ArgumentName": "continuation-token"])
        }
        return key
    }

    private static func check(_ bytes: [UInt8]) -> [UInt8] {
        var crc = CRC32()
        bytes.withUnsafeBytes { crc.update($0) }
        return bigEndian(crc.value)
    }
}
