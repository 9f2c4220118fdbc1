import CAWSManagedPolicies
import WireFormats

/// The packed table of AWS managed policies in the executable's read-only data, read in place.
/// `Sources/CAWSManagedPolicies/pack.py` writes it and describes the format.
enum AWSManagedPolicyTable {
    private static let entrySize = 28
    private static let blockSize = 12
    private static let headerSize = 8

    private static var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: caws_managed_policies(), count: caws_managed_policies_count())
    }

    private static func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type, at offset: Int) -> Int {
        Int(Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)))
    }

    private static var count: Int { number(UInt32.self, at: 0) }

    private static func name(at index: Int) -> Slice<UnsafeRawBufferPointer> {
        let offset = headerSize + index * entrySize
        let start = number(UInt32.self, at: offset)
        return bytes[start..<start + number(UInt16.self, at: offset + 4)]
    }

    private static func entry(at index: Int) -> AWSManagedPolicy {
        let offset = headerSize + index * entrySize
        let start = number(UInt32.self, at: offset + 20)
        return AWSManagedPolicy(
            pathAndName: String(decoding: name(at: index), as: UTF8.self), version: number(UInt16.self, at: offset + 6),
            created: Timestamp(seconds: Int64(number(UInt32.self, at: offset + 8))),
            updated: Timestamp(seconds: Int64(number(UInt32.self, at: offset + 12))),
            block: number(UInt32.self, at: offset + 16), place: start..<start + number(UInt32.self, at: offset + 24))
    }

    /// All policies, in the order of their paths and names.
    static var entries: [AWSManagedPolicy] { (0..<count).map { entry(at: $0) } }

    /// Returns the policy with a path and name, by binary search.
    static func entry(named pathAndName: some StringProtocol) -> AWSManagedPolicy? {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let found = name(at: middle)
            if found.elementsEqual(pathAndName.utf8) { return entry(at: middle) }
            range =
                found.lexicographicallyPrecedes(pathAndName.utf8) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Returns the document of a policy as JSON.
    static func document(of policy: AWSManagedPolicy) -> String? {
        let offset = headerSize + count * entrySize + policy.block * blockSize
        let start = number(UInt32.self, at: offset)
        let block = [UInt8](bytes[start..<start + number(UInt32.self, at: offset + 4)])
        guard let documents = block.inflated(upTo: number(UInt32.self, at: offset + 8)), policy.place.upperBound <= documents.count
        else { return nil }
        return String(decoding: documents[policy.place], as: UTF8.self)
    }
}
