import Cloud
import Tokens
import WireFormats

/// A token of the metadata service. It contains its instance and its expiry, sealed.
enum MetadataToken {
    /// The possible lifetimes in seconds.
    static let lifetimes = 1...21_600
    private static let context = Array("ec2 metadata".utf8)

    /// Returns a new token.
    /// - Throws: an error of the random generator.
    static func make(for instance: String, lifetime: Int, in cloud: Cloud) throws -> String {
        let record: JSONValue = [.string(instance), .integer(cloud.clock.now.seconds), .integer(Int64(lifetime))]
        return try SealedRecord.sealedBytes(record.serializedBytes(), key: cloud.sealingKey, context: context).base64url
    }

    /// Returns whether a text is a token of an instance that has not expired.
    static func isValid(_ text: String, for instance: String, in cloud: Cloud) -> Bool {
        guard let bytes = [UInt8](base64url: text),
            let record = try? SealedRecord.open(bytes, key: cloud.sealingKey, context: context),
            let values = (try? JSONValue(parsing: record))?.arrayValue, values.count == 3, values[0].stringValue?.equals(instance) == true,
            let issued = values[1].integerValue, let lifetime = values[2].integerValue
        else { return false }
        let start = Timestamp(seconds: issued)
        return !cloud.clock.hasExpired(start + .seconds(lifetime), issuedAt: start)
    }
}
