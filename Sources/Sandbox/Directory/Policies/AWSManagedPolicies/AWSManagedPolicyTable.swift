import CAWSManagedPolicies
import WireFormats

/// The AWS managed policies in the executable's read-only data: their compressed documents, and an index that is read in place.
/// `Sources/Foundations/CAWSManagedPolicies/refresh.py` updates the policies and generates the index.
enum AWSManagedPolicyTable {
    private static var places: Range<Int> { 0..<caws_managed_policies_count() }

    private static func name(of record: caws_managed_policy) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: record.path_and_name, count: record.path_and_name_count)
    }

    private static func entry(at place: Int) -> AWSManagedPolicy {
        let record = caws_managed_policy_at(place)
        return AWSManagedPolicy(
            pathAndName: String(decoding: name(of: record), as: UTF8.self), version: Int(record.version),
            created: Timestamp(seconds: Int64(record.created)), updated: Timestamp(seconds: Int64(record.updated)), place: place)
    }

    /// All policies, in the order of their paths and names.
    static var entries: [AWSManagedPolicy] { places.map { entry(at: $0) } }

    /// Returns the policy with a path and name, by binary search.
    static func entry(named pathAndName: some StringProtocol) -> AWSManagedPolicy? {
        var range = places
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let found = name(of: caws_managed_policy_at(middle))
            if found.elementsEqual(pathAndName.utf8) { return entry(at: middle) }
            range =
                found.lexicographicallyPrecedes(pathAndName.utf8) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Returns a policy's document, or `nil` if it is not JSON.
    static func document(of policy: AWSManagedPolicy) -> JSONValue? {
        let group = caws_managed_policy_documents_at(policy.place)
        let compressed = [UInt8](UnsafeBufferPointer(start: group.compressed, count: group.compressed_count))
        guard let lines = compressed.inflated(upTo: group.count)?.split(separator: UInt8(ascii: "\n")), group.line < lines.count else {
            return nil
        }
        return try? JSONValue(parsing: lines[group.line])
    }
}
